"""Runs inside Blender, started by render.py: build one scene and leave its passes in a folder."""

import importlib
import json
import sys
from pathlib import Path

order = json.loads(sys.argv[sys.argv.index('--') + 1])
sys.path[:0] = [str(Path(__file__).parent), *order['packages']]

import stage  # noqa: E402

scene = importlib.import_module(order['module'])
size = (order['width'], order['height'], order['samples'])
settings = getattr(scene, 'TRACE', {})

if 'layers' in order:
    layers = scene.build(stage)
    stage.look(scene.CAMERA)
    for name in order['layers']:
        stage.show_only(layers[name])
        stage.render(f'{order["folder"]}/{name}', *size, clear_film=True, **settings)
else:
    scene.build(stage, order['shape'])
    stage.look(scene.camera(order['shape']))
    stage.render(order['folder'], *size, **settings)
