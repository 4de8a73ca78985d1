"""As much of Pillow as the plugin uses. A picture is its file: the tests look at what was sent and what came back."""
