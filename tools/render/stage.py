"""Building blocks for scenes inside Blender: materials, pieces, lamps, and the render passes we keep.

Runs in Blender's own Python (3.4 to 3.6). Metres; x to the right, y away from the camera, z up.
"""

import math
import os
import random

import bmesh
import bpy
import numpy as np
from mathutils import Vector

PASSES = {'colour': 'Image', 'albedo': 'Denoising Albedo', 'normal': 'Denoising Normal', 'depth': 'Depth'}


def clear(seed):
    """An empty Cycles scene, and the one source of chance for everything placed in it."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = 'CYCLES'
    scene.cycles.device = 'CPU'
    return random.Random(seed)


class Nodes:
    """A material's node tree, written as expressions: every method returns a socket."""

    def __init__(self, tree):
        self.tree = tree
        self.links = tree.links

    def add(self, kind, inputs=None, **settings):
        node = self.tree.nodes.new(kind)
        for name, value in settings.items():
            setattr(node, name, value)
        for name, value in (inputs or {}).items():
            self.feed(node.inputs[name], value)
        return node

    def feed(self, socket, value):
        if hasattr(value, 'is_output'):
            self.links.new(value, socket)
        elif isinstance(value, tuple) and len(value) == 3 and socket.type == 'RGBA':
            socket.default_value = (*value, 1)
        else:
            socket.default_value = value

    def position(self, stretch=None):
        """World position, so neighbouring pieces never repeat each other's pattern."""
        return self._stretched(self.add('ShaderNodeNewGeometry').outputs['Position'], stretch)

    def own(self, stretch=None):
        """Position in the object's own space."""
        return self._stretched(self.add('ShaderNodeTexCoord').outputs['Object'], stretch)

    def unrolled(self, stretch=None):
        """Metres along a sheet's own surface."""
        return self._stretched(self.add('ShaderNodeTexCoord').outputs['UV'], stretch)

    def _stretched(self, vector, stretch):
        if stretch is None:
            return vector
        return self.add('ShaderNodeMapping', {'Vector': vector, 'Scale': stretch}).outputs[0]

    def chance(self):
        """A number between 0 and 1, different for every object."""
        return self.add('ShaderNodeObjectInfo').outputs['Random']

    def facing_up(self):
        normal = self.add('ShaderNodeNewGeometry').outputs['Normal']
        return self.add('ShaderNodeSeparateXYZ', {0: normal}).outputs[2]

    def height(self):
        return self.add('ShaderNodeSeparateXYZ', {0: self.position()}).outputs[2]

    def noise(self, scale, detail=6, roughness=0.55, at=None, distortion=0.0):
        inputs = {'Scale': scale, 'Detail': detail, 'Roughness': roughness, 'Distortion': distortion}
        inputs['Vector'] = self.position() if at is None else at
        return self.add('ShaderNodeTexNoise', inputs).outputs['Fac']

    def sum(self, a, b):
        return self.add('ShaderNodeMath', {0: a, 1: b}, operation='ADD').outputs[0]

    def times(self, a, b):
        return self.add('ShaderNodeMath', {0: a, 1: b}, operation='MULTIPLY').outputs[0]

    def power(self, a, b):
        return self.add('ShaderNodeMath', {0: a, 1: b}, operation='POWER').outputs[0]

    def math(self, operation, a, b=0.0):
        return self.add('ShaderNodeMath', {0: a, 1: b}, operation=operation).outputs[0]

    def along(self, vector):
        """A vector's three parts."""
        return self.add('ShaderNodeSeparateXYZ', {0: vector}).outputs[:3]

    def vector(self, x, y, z=0.0):
        return self.add('ShaderNodeCombineXYZ', {0: x, 1: y, 2: z}).outputs[0]

    def scatter(self, vector):
        """A number and a colour by chance, the same wherever the vector is the same."""
        return self.add('ShaderNodeTexWhiteNoise', {'Vector': vector}).outputs[:2]

    def span(self, value, low, high, to_low=0.0, to_high=1.0):
        """The value mapped linearly from low..high, and held at the ends."""
        inputs = {0: value, 1: low, 2: high, 3: to_low, 4: to_high}
        return self.add('ShaderNodeMapRange', inputs).outputs[0]

    def blend(self, amount, a, b):
        return self.add('ShaderNodeMixRGB', {0: amount, 1: a, 2: b}).outputs[0]

    def ramp(self, value, stops):
        node = self.add('ShaderNodeValToRGB', {0: value})
        elements = node.color_ramp.elements
        while len(elements) < len(stops):
            elements.new(0.5)
        for element, (place, colour) in zip(elements, stops):
            element.position = place
            element.color = (*colour, 1)
        return node.outputs[0]

    def bump(self, height, strength, distance):
        return self.add(
            'ShaderNodeBump', {'Height': height, 'Strength': strength, 'Distance': distance}
        ).outputs[0]


def material(
    base=(0.5, 0.5, 0.5),
    roughness=0.5,
    metallic=0.0,
    specular=0.5,
    glow=None,
    strength=0.0,
    shade=None,
    **more,
):
    """A principled surface. `shade(nodes)` may return sockets by input name, and they win over the plain
    values."""
    made = bpy.data.materials.new('surface')
    made.use_nodes = True
    surface = made.node_tree.nodes['Principled BSDF']
    nodes = Nodes(made.node_tree)
    plain = {'Base Color': base, 'Roughness': roughness, 'Metallic': metallic, 'Specular': specular}
    if glow is not None:
        plain.update({'Emission': glow, 'Emission Strength': strength})
    plain.update(more)
    if shade:
        plain.update(shade(nodes))
    for name, value in plain.items():
        nodes.feed(surface.inputs[name], value)
    return made


def glowing(colour, strength, uneven=0.0):
    """A lamp's surface. Uneven glow has patches this many times a metre, as a lit room behind glass does."""
    made = bpy.data.materials.new('glow')
    made.use_nodes = True
    tree = made.node_tree
    tree.nodes.clear()
    nodes = Nodes(tree)
    if uneven:
        strength = nodes.times(nodes.span(nodes.noise(uneven, 3, 0.6), 0.36, 0.64, 0.05, 1.9), strength)
    light = nodes.add('ShaderNodeEmission', {'Color': colour, 'Strength': strength})
    nodes.add('ShaderNodeOutputMaterial', {'Surface': light.outputs[0]})
    return made


def place(data, at=(0, 0, 0), turn=(0, 0, 0), scale=(1, 1, 1), coat=None):
    """Put a mesh, curve or lamp into the scene; a shared mesh may wear a different coat each time."""
    thing = bpy.data.objects.new('piece', data)
    thing.location, thing.rotation_euler, thing.scale = at, turn, scale
    if coat:
        if len(data.materials) == 0:
            data.materials.append(coat)
        else:
            thing.material_slots[0].link = 'OBJECT'
            thing.material_slots[0].material = coat
    bpy.context.scene.collection.objects.link(thing)
    return thing


def mesh(vertices, faces, smooth=False):
    made = bpy.data.meshes.new('mesh')
    made.from_pydata([tuple(map(float, v)) for v in vertices], [], [tuple(map(int, f)) for f in faces])
    made.update()
    if smooth:
        made.polygons.foreach_set('use_smooth', [True] * len(made.polygons))
    return made


def creased(thing, degrees=30):
    """Keep edges sharper than this crisp on a smooth piece."""
    thing.data.use_auto_smooth = True
    thing.data.auto_smooth_angle = math.radians(degrees)
    return thing


def box(at, size, coat=None, turn=(0, 0, 0), bevel=0.0, segments=2):
    x, y, z = (side / 2 for side in size)
    corners = [
        (-x, -y, -z),
        (x, -y, -z),
        (x, y, -z),
        (-x, y, -z),
        (-x, -y, z),
        (x, -y, z),
        (x, y, z),
        (-x, y, z),
    ]
    sides = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    thing = place(mesh(corners, sides), at, turn, coat=coat)
    if bevel:
        edge = thing.modifiers.new('bevel', 'BEVEL')
        edge.width, edge.segments = bevel, segments
        thing.data.polygons.foreach_set('use_smooth', [True] * 6)
        creased(thing, 60)
        thing.modifiers.new('flat sides', 'WEIGHTED_NORMAL').keep_sharp = True
    return thing


def plane(at, width, depth, coat=None, turn=(0, 0, 0)):
    x, y = width / 2, depth / 2
    return place(mesh([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)], [(0, 1, 2, 3)]), at, turn, coat=coat)


def sheet(x, y, z, coat=None, at=(0, 0, 0), turn=(0, 0, 0)):
    """A smooth surface through a grid of points given as three equal arrays, with its UVs in metres."""
    rows, columns = x.shape
    vertices = np.stack([x, y, z], -1).reshape(-1, 3)
    first = np.arange((rows - 1) * columns).reshape(rows - 1, columns)[:, :-1].ravel()
    quads = np.stack([first, first + 1, first + columns + 1, first + columns], -1)
    made = dense_mesh(vertices, quads)
    points = np.stack(np.broadcast_arrays(x, y, z), -1)
    across, along = (np.linalg.norm(np.diff(points, axis=axis), axis=-1).mean(1 - axis) for axis in (1, 0))
    u, v = np.meshgrid(np.append(0, across.cumsum()), np.append(0, along.cumsum()))
    corners = np.stack([u, v], -1).reshape(-1, 2)[quads.ravel()]
    made.uv_layers.new().data.foreach_set('uv', corners.astype(np.float32).ravel())
    return place(made, at, turn, coat=coat)


def dense_mesh(vertices, faces):
    """A smooth mesh from arrays; from_pydata is too slow beyond some ten thousand faces."""
    count, corners = faces.shape
    made = bpy.data.meshes.new('dense')
    made.vertices.add(len(vertices))
    made.vertices.foreach_set('co', vertices.astype(np.float32).ravel())
    made.loops.add(count * corners)
    made.loops.foreach_set('vertex_index', faces.astype(np.int32).ravel())
    made.polygons.add(count)
    made.polygons.foreach_set('loop_start', np.arange(0, count * corners, corners, dtype=np.int32))
    made.polygons.foreach_set('loop_total', np.full(count, corners, np.int32))
    made.update()
    made.validate()
    made.polygons.foreach_set('use_smooth', np.ones(len(made.polygons), bool))
    return made


def lathe(profile, sides=48, coat=None, at=(0, 0, 0), turn=(0, 0, 0), scale=(1, 1, 1), smooth=True):
    """A profile of (radius, height) pairs turned about z."""
    angles = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    vertices = [(r * math.cos(a), r * math.sin(a), z) for r, z in profile for a in angles]
    faces = [
        (i * sides + j, i * sides + (j + 1) % sides, (i + 1) * sides + (j + 1) % sides, (i + 1) * sides + j)
        for i in range(len(profile) - 1)
        for j in range(sides)
    ]
    return place(mesh(vertices, faces, smooth), at, turn, scale, coat)


def ball(segments=24, rings=12):
    made = bpy.data.meshes.new('ball')
    builder = bmesh.new()
    bmesh.ops.create_uvsphere(builder, u_segments=segments, v_segments=rings, radius=1)
    builder.to_mesh(made)
    builder.free()
    made.polygons.foreach_set('use_smooth', [True] * len(made.polygons))
    return made


def tube(points, radius, coat=None, closed=False, resolution=4):
    path = bpy.data.curves.new('tube', 'CURVE')
    path.dimensions, path.bevel_depth, path.bevel_resolution = '3D', radius, resolution
    line = path.splines.new('POLY')
    line.points.add(len(points) - 1)
    for point, at in zip(line.points, points):
        point.co = (*at, 1)
    line.use_cyclic_u = closed
    return place(path, coat=coat)


def lamp(kind, at, power, colour=(1, 1, 1), size=0.5, towards=None, height=None, cone=1.0, softness=0.5):
    """kind: POINT, AREA, SPOT or SUN. A sun's size is its angle in radians, and its power W/m2."""
    data = bpy.data.lights.new('lamp', kind)
    data.energy, data.color = power, colour
    if kind == 'AREA':
        data.size = size
        if height:
            data.shape, data.size_y = 'RECTANGLE', height
    elif kind == 'SUN':
        data.angle = size
    else:
        data.shadow_soft_size = size
    if kind == 'SPOT':
        data.spot_size, data.spot_blend = cone, softness
    thing = bpy.data.objects.new('lamp', data)
    thing.location = at
    if towards is not None:
        thing.rotation_euler = (Vector(towards) - Vector(at)).to_track_quat('-Z', 'Y').to_euler()
    bpy.context.scene.collection.objects.link(thing)
    return thing


def sky(colour=(0, 0, 0), strength=1.0, shade=None):
    world = bpy.data.worlds.new('sky')
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes = Nodes(world.node_tree)
    background = world.node_tree.nodes['Background']
    nodes.feed(background.inputs['Color'], shade(nodes) if shade else colour)
    background.inputs['Strength'].default_value = strength


def look(camera):
    """Set up the camera; the sensor's 36 mm lie along the longer side, as when a camera is turned."""
    data = bpy.data.cameras.new('camera')
    data.lens, data.sensor_width, data.sensor_fit, data.clip_end = camera.lens, 36, 'AUTO', 1e5
    thing = bpy.data.objects.new('camera', data)
    thing.location = camera.eye
    thing.rotation_euler = (Vector(camera.target) - Vector(camera.eye)).to_track_quat('-Z', 'Y').to_euler()
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = thing


def render(folder, width, height, samples, bounces=4, clamp=4.0, clear_film=False, least=16):
    """Trace the scene and leave one .npy per pass in the folder: colour, albedo, normal, depth.

    `least` samples everywhere; the rest only where the picture is still uncertain.
    """
    scene = bpy.context.scene
    target = scene.render
    target.resolution_x, target.resolution_y, target.resolution_percentage = width, height, 100
    target.film_transparent = clear_film
    cycles = scene.cycles
    cycles.samples, cycles.use_adaptive_sampling, cycles.adaptive_threshold = samples, True, 0.02
    cycles.adaptive_min_samples, cycles.use_denoising = min(least, samples), False
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = (
        bounces,
        min(3, bounces),
        min(3, bounces),
    )
    cycles.transmission_bounces, cycles.transparent_max_bounces = 4, 8
    cycles.sample_clamp_indirect, cycles.blur_glossy = clamp, 1.0
    cycles.caustics_reflective = cycles.caustics_refractive = False
    layer = scene.view_layers[0]
    layer.use_pass_z = True
    layer.cycles.denoising_store_passes = True
    os.makedirs(folder, exist_ok=True)
    _keep_passes(scene, folder)
    bpy.ops.render.render(write_still=False)
    for name in PASSES:
        _to_array(os.path.join(folder, f'{name}_0001.exr'), os.path.join(folder, f'{name}.npy'))


def show_only(things):
    """Let the camera see only these; everything else still casts its shadow and its reflection."""
    seen = set(thing.name for thing in things)
    for thing in bpy.context.scene.objects:
        if thing.type in ('MESH', 'CURVE'):
            thing.visible_camera = thing.name in seen


def _keep_passes(scene, folder):
    scene.use_nodes = True
    nodes = Nodes(scene.node_tree)
    scene.node_tree.nodes.clear()
    layers = nodes.add('CompositorNodeRLayers')
    files = nodes.add('CompositorNodeOutputFile', base_path=folder)
    files.format.file_format, files.format.color_depth, files.format.color_mode = 'OPEN_EXR', '32', 'RGBA'
    files.file_slots.clear()
    for name, source in PASSES.items():
        files.file_slots.new(name + '_')
        nodes.links.new(layers.outputs[source], files.inputs[-1])
    nodes.add('CompositorNodeComposite', {'Image': layers.outputs['Image']})


def _to_array(image_path, array_path):
    image = bpy.data.images.load(image_path, check_existing=False)
    image.colorspace_settings.name = 'Non-Color'
    width, height = image.size
    values = np.empty(width * height * image.channels, np.float32)
    image.pixels.foreach_get(values)
    values = values.reshape(height, width, image.channels)[::-1]
    np.save(array_path, values[..., 0] if array_path.endswith('depth.npy') else values)
    os.remove(image_path)
