"""Carrom: rules of the LATTJO rulebook and of the ICF, on the simulator."""
