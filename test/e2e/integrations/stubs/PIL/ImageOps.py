from .Image import Image


def fit(image, size):
    return Image(image.content, size)
