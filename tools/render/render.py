"""Render one scene or costume of the catalog:  python3 tools/render/render.py neon-street

Options:  --shape portrait|landscape|square   only that one
          --draft                             a third of the size, few samples, PNG beside the passes
          --keep                              use what the last run traced or painted; only develop again
"""

import argparse
import importlib
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

import costume
import figure
import record
from denoise import denoise, weights_folder
from develop import enlarge, enlarge_depth, finish, to_linear
from shot import SIZES, Frame, Shot

HERE = Path(__file__).parent
CATALOG = HERE.parents[1] / 'catalog'
CACHE = Path(tempfile.gettempdir()) / 'guise-render'
LARGEST_FILE = 400_000
FRAME = 1800  # side of the square that all three shapes of a scene with a BAND are cut from


def main():
    options = _options()
    if (HERE / 'costumes' / f'{options.scene.replace("-", "_")}.py').exists():
        _render_costume(options)
        return
    scene = importlib.import_module('scenes.' + options.scene.replace('-', '_'))
    frame = _frame(scene, options) if hasattr(scene, 'BAND') else None
    for shape in [options.shape] if options.shape else SIZES:
        started = time.time()
        shot = _shot(scene, options, shape)
        if frame:
            linear = frame.cut(shot, scene.BAND)
        else:
            linear = _light(scene, shot, options)
        plate = finish(linear, scene.GRADE)
        _save(scene, options, shape, plate, shot)
        print(f'{options.scene} {shape}: {time.time() - started:.0f} s', flush=True)
    if not options.draft:
        _describe(scene, options.scene)


def _options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument('scene')
    parser.add_argument('--shape', choices=list(SIZES))
    parser.add_argument('--draft', action='store_true')
    parser.add_argument('--keep', action='store_true')
    return parser.parse_args()


def _frame(scene, options):
    """One square picture through the lens, larger than any of the three shapes that are cut from it needs."""
    folder = CACHE / f'{options.scene}{"-draft" if options.draft else ""}'
    if not (options.keep and (folder / 'clean.npy').exists()):
        _trace(scene, 'frame', folder, options.draft)
    side = FRAME // 4 if options.draft else FRAME
    shot = Shot('frame', side, side)
    shot.colour = enlarge(np.load(folder / 'clean.npy'), side, side)
    shot.depth = enlarge_depth(np.load(folder / 'depth.npy'), side, side)
    return Frame(scene.picture(shot), shot.depth)


def _shot(scene, options, shape):
    width, height = SIZES[shape]
    if options.draft:
        width, height = width // 3, height // 3
    shot = Shot(shape, width, height)
    if hasattr(scene, 'build') and not hasattr(scene, 'BAND'):
        folder = CACHE / f'{options.scene}-{shape}{"-draft" if options.draft else ""}'
        if not (options.keep and (folder / 'clean.npy').exists()):
            _trace(scene, shape, folder, options.draft)
        shot.colour = enlarge(np.load(folder / 'clean.npy'), width, height)
        shot.depth = enlarge_depth(np.load(folder / 'depth.npy'), width, height)
    return shot


def _light(scene, shot, options):
    """The scene's linear light. A painted scene is kept, so that its grade can be tried without painting
    again."""
    if hasattr(scene, 'build') or options.draft:
        return scene.picture(shot)
    kept = CACHE / f'{options.scene}-{shot.shape}.npz'
    if options.keep and kept.exists():
        with np.load(kept) as arrays:
            shot.depth = arrays['depth']
            return arrays['linear'].astype(np.float32)
    linear = scene.picture(shot)
    kept.parent.mkdir(parents=True, exist_ok=True)
    np.savez(kept, linear=linear.astype(np.float16), depth=shot.depth)
    return linear


def _render_costume(options):
    module = importlib.import_module('costumes.' + options.scene.replace('-', '_'))
    folder = CACHE / f'{options.scene}{"-draft" if options.draft else ""}'
    share = 1 / 4 if options.draft else getattr(module, 'SHARE', 0.65)
    layers = getattr(module, 'LAYERS', costume.LAYERS)
    if not options.keep:
        size = {'width': round(figure.WIDTH * share), 'height': round(figure.HEIGHT * share)}
        _blender(
            module,
            folder,
            size | {'layers': layers, 'samples': 10 if options.draft else module.SAMPLES},
        )
    weights = weights_folder(CACHE / 'weights')
    target = folder if options.draft else CATALOG / 'costumes' / options.scene
    target.mkdir(parents=True, exist_ok=True)
    for layer in layers:
        picture = costume.develop_layer(folder / layer, module.GRADE, weights, figure.WIDTH, figure.HEIGHT)
        save_webp(picture, target / f'{layer}.webp')
    costume.describe(module, layers, target)
    print(target)


def _trace(scene, shape, folder, draft):
    """Half the plate's size is enough, and less for a scene that is mostly out of focus: the blur that follows
    hides what more pixels would show."""
    if shape == 'frame':
        share = 1 / 4 if draft else getattr(scene, 'SHARE', 0.36)
    else:
        share = 1 / 3 if draft else 1 / 2
    width, height = (FRAME, FRAME) if shape == 'frame' else SIZES[shape]
    size = {'width': round(width * share), 'height': round(height * share)}
    _blender(scene, folder, size | {'shape': shape, 'samples': 10 if draft else scene.SAMPLES})
    passes = {name: np.load(folder / f'{name}.npy') for name in ('colour', 'albedo', 'normal')}
    clean = denoise(*(passes[name][..., :3] for name in passes), weights_folder(CACHE / 'weights'))
    np.save(folder / 'clean.npy', clean)


def _blender(module, folder, order):
    folder.mkdir(parents=True, exist_ok=True)
    packages = [path for path in sys.path if path.endswith('-packages')]
    order = order | {'module': module.__name__, 'folder': str(folder), 'packages': packages}
    command = ['blender', '-b', '--factory-startup', '--python-exit-code', '1']
    command += ['--python', str(HERE / 'trace.py'), '--', json.dumps(order)]
    log = folder / 'blender.log'
    with log.open('w') as out:
        if subprocess.run(command, stdout=out, stderr=subprocess.STDOUT).returncode != 0:
            sys.exit(f'Blender failed:\n{log.read_text()[-3000:]}')


def _save(scene, options, shape, plate, shot):
    if options.draft:
        path = CACHE / f'{options.scene}-{shape}-draft.png'
        Image.fromarray(plate).save(path)
        print(path)
        return
    folder = CATALOG / 'scenes' / options.scene
    folder.mkdir(parents=True, exist_ok=True)
    save_webp(Image.fromarray(plate), folder / f'{shape}.webp')
    near = np.percentile(shot.depth, 0.5)
    inverse = np.clip(near / np.maximum(shot.depth, 1e-3), 0, 1).astype(np.float32)
    half = cv2.resize(inverse, (shot.width // 2, shot.height // 2), interpolation=cv2.INTER_AREA)
    Image.fromarray((half * 255 + 0.5).astype(np.uint8)).save(
        folder / f'{shape}-depth.webp', quality=85, method=6
    )
    if hasattr(scene, 'front'):
        save_webp(Image.fromarray(scene.front(shot), 'RGBA'), folder / f'{shape}-front.webp')


def save_webp(picture, path):
    """The best quality that stays under the catalog's limit for one file."""
    for quality in range(90, 70, -2):
        picture.save(path, quality=quality, method=4)
        if path.stat().st_size < LARGEST_FILE:
            return
    sys.exit(f'{path} does not fit into {LARGEST_FILE} bytes')


def _describe(scene, name):
    """scene.json: what the scene states about itself, and the files that are there."""
    folder = CATALOG / 'scenes' / name
    missing = [shape for shape in SIZES if not (folder / f'{shape}.webp').exists()]
    if missing:
        print(f'{name}: no scene.json yet, without {" and ".join(missing)}')
        return
    described = dict(scene.SCENE)
    described['light'] = {'key': round(ground_key(folder), 2), **scene.SCENE['light']}
    for field, ending in (('plates', ''), ('foreground', '-front'), ('depth', '-depth')):
        files = {
            shape: f'{shape}{ending}.webp' for shape in SIZES if (folder / f'{shape}{ending}.webp').exists()
        }
        if files:
            described[field] = files
    # Barriers are rendered by themselves: barriers/barriers.py.
    known = folder / 'scene.json'
    if known.exists() and 'barrier' in (before := json.loads(known.read_text())):
        described['barrier'] = before['barrier']
    order = ('title', 'tags', 'plates', 'foreground', 'depth', 'barrier', 'light', 'haze', 'slots', 'grade')
    record.write(folder / 'scene.json', {field: described[field] for field in order if field in described})


def ground_key(folder):
    """How bright people should be lit, from the median luminance where they stand and the 70th percentile.

    The sky alone would be wrong: people before a bright sky are not lit by it.
    """
    plate = np.asarray(Image.open(folder / 'portrait.webp').convert('RGB'), np.float32) / 255
    luminance = to_linear(plate) @ np.array([0.2126, 0.7152, 0.0722])
    low = np.median(luminance[int(len(luminance) * 0.55) :])
    key = np.exp(0.6 * np.log(2 * low + 0.004) + 0.4 * np.log(np.percentile(luminance, 70) + 0.004))
    return float(np.clip(key, 0.05, 0.5))


if __name__ == '__main__':
    main()
