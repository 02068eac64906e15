"""Buttons, toggles, choices, sliders, lists, text fields, and the page that holds them."""

from carromsim.app.widgets.base import Look, Page, Widget
from carromsim.app.widgets.controls import (
    Button,
    Choice,
    Label,
    ListBox,
    Slider,
    TextField,
    Toggle,
)

__all__ = [
    "Button",
    "Choice",
    "Label",
    "ListBox",
    "Look",
    "Page",
    "Slider",
    "TextField",
    "Toggle",
    "Widget",
]
