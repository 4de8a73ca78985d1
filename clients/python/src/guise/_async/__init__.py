"""The asyncio calls."""
