"""`python -m carromsim`."""

from carromsim.cli.main import main

if __name__ == "__main__":
    main()
