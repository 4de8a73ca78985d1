"""What sewn costumes share: a figure to hang them on, cloth, leather and metal, collars, fur, buttons.

Metres, as in stage.py; angles around the neck run from 0 in front to pi behind, positive to the right.
"""

import math

import numpy as np


def cloth(stage, dye, weave=260, depth=0.0018, fade=0.6, roughness=0.9, sheen=0.5, shade=None):
    """Woven cloth, a little faded in patches and darker in its folds. `shade(nodes, colour)` may paint on it."""

    def surface(nodes):
        along, up = (
            nodes.noise(1.5 * weave, 2, 0.5, nodes.position(run)) for run in ((0.2, 0.2, 1), (1, 1, 0.2))
        )
        threads, patches = nodes.times(nodes.sum(along, up), 0.5), nodes.noise(8, 5, 0.6)
        fold = nodes.span(nodes.add('ShaderNodeNewGeometry').outputs['Pointiness'], 0.42, 0.51, 0.55, 1)
        colour = nodes.blend(patches, dye, tuple(c * fade for c in dye))
        if shade:
            colour = shade(nodes, colour)
        tone = nodes.span(threads, 0.4, 0.6, 0.78, 1.22)
        woven = {0: 1.0, 1: colour, 2: nodes.vector(tone, tone, tone)}
        colour = nodes.add('ShaderNodeMixRGB', woven, blend_type='MULTIPLY').outputs[0]
        return {
            'Base Color': nodes.blend(fold, (0, 0, 0), colour),
            'Normal': nodes.bump(threads, 0.9, depth),
        }

    return stage.material(roughness=roughness, specular=0.2, shade=surface, Sheen=sheen)


def leather(stage, tone, shine=0.42):
    """Grained hide: a pebbled surface, polished on the ridges where hands and belts rub it, dark in the folds."""

    def surface(nodes):
        pebbles = nodes.add(
            'ShaderNodeTexVoronoi', {'Vector': nodes.position(), 'Scale': 330.0}, feature='SMOOTH_F1'
        ).outputs['Distance']
        broad, fine = nodes.noise(7, 6, 0.62), nodes.noise(60, 5, 0.6)
        ridge = nodes.add('ShaderNodeNewGeometry').outputs['Pointiness']
        colour = nodes.blend(nodes.span(broad, 0.35, 0.7), tone, tuple(c * 0.5 for c in tone))
        rubbed = nodes.times(nodes.span(ridge, 0.515, 0.56), nodes.span(fine, 0.35, 0.6))
        colour = nodes.blend(rubbed, colour, tuple(min(1, c * 2.1 + 0.01) for c in tone))
        colour = nodes.blend(nodes.span(ridge, 0.42, 0.5), tuple(c * 0.25 for c in tone), colour)
        return {
            'Base Color': colour,
            'Roughness': nodes.sum(
                nodes.span(fine, 0.3, 0.7, shine * 0.8, shine * 1.25), nodes.times(rubbed, -0.1)
            ),
            'Normal': nodes.bump(nodes.sum(pebbles, nodes.times(fine, 0.6)), 0.35, 0.0016),
        }

    return stage.material(shade=surface)


def metal(stage, tone, roughness, tarnish=0.4):
    """Worn metal: duller and rougher in patches."""

    def surface(nodes):
        wear, broad = nodes.noise(34, 6, 0.65), nodes.noise(9, 5, 0.6)
        dull = nodes.sum(nodes.span(wear, 0.5, 0.8, 0, tarnish), nodes.span(broad, 0.5, 0.75, 0, tarnish))
        return {
            'Base Color': nodes.blend(dull, tone, tuple(c * 0.45 for c in tone)),
            'Roughness': nodes.sum(
                nodes.span(wear, 0.3, 0.75, roughness * 0.7, roughness * 1.5), nodes.times(dull, 0.25)
            ),
            'Normal': nodes.bump(broad, 0.12, 0.006),
        }

    return stage.material(metallic=1.0, shade=surface)


def within(nodes, value, low, high, soft=0.0007):
    """1 where a value lies between two others, with an edge a thread wide."""
    return nodes.times(
        nodes.span(value, low - soft, low + soft), nodes.span(value, high - soft, high + soft, 1.0, 0.0)
    )


def places(nodes):
    """The sockets |x|, y and z of the place that is shaded."""
    x, y, z = nodes.add('ShaderNodeSeparateXYZ', {0: nodes.position()}).outputs
    return nodes.add('ShaderNodeMath', {0: x}, operation='ABSOLUTE').outputs[0], y, z


def knitted_collar(
    stage, coat, top=1.430, base=1.345, wide=(0.112, 0.080), deep=0.86, ribs=64, depth=0.0016, dip=0.018
):
    """What is worn under a costume: a ribbed collar around the neck, which hides the guest's own.

    In front its edge is lower by `dip` than beside the neck, so that the throat shows as it does above a real one.
    """
    angle, share = np.meshgrid(np.linspace(-1.7, 1.7, 600), np.linspace(0, 1, 60))
    rib = depth * np.abs(np.sin(angle * ribs / 2)) ** 0.7
    fold = 0.0035 * np.exp(-(((share - 0.86) / 0.10) ** 2)) + 0.002 * np.sin(share * 9 + np.sin(angle * 2))
    radius = wide[0] + (wide[1] - wide[0]) * share**0.8 + rib + fold
    height = base + (top - base) * np.clip(np.cos(angle * 0.9), 0, 1) ** 0.2
    height -= dip * np.clip(np.cos(angle), 0, 1) ** 2
    z = base + (height - base) * share
    return stage.sheet(radius * np.sin(angle), 0.005 - radius * deep * np.cos(angle), z, coat)


def body(space, bulk=0.0, folds=1.0, sleeve=1.0, waist=0.0):
    """An upright figure from the neck to the hips in a sewn garment, as (trunk, arms): distances.

    `bulk` is how much thicker than a shirt the garment is, in metres; `folds` and `sleeve` how deep it creases.
    """
    from solid import joined

    drape = space.wrinkles((0.014, 0.03, 0.075))
    crease = space.wrinkles((0.035, 0.03, 0.011))
    fine = space.wrinkles((0.024, 0.020, 0.0055))
    lumps = space.wrinkles((0.03, 0.03, 0.03))
    trunk = joined(
        space.ellipsoid((0, -0.004, 1.195), (0.176 + bulk, 0.122 + bulk, 0.185 + bulk)),
        space.block((0, 0.004, 0.90), (0.150 + waist + bulk, 0.112 + bulk, 0.36), 0.10),
        0.09,
    )
    for side in (-1, 1):
        yoke, _ = space.limb(
            (side * 0.050, 0.022, 1.368), (side * 0.172, 0.012, 1.305), 0.056 + 0.6 * bulk, 0.064 + bulk
        )
        trunk = joined(trunk, yoke, 0.05)
    hang = np.clip((1.22 - space.z) / 0.12, 0, 1)
    trunk = trunk - folds * (
        0.0034 * np.abs(drape) * hang + 0.0012 * lumps + 0.0010 * (crease + fine) * (1 - 0.6 * hang)
    )
    arms = None
    for side in (-1, 1):
        elbow = (side * (0.258 + bulk), 0.030, 1.015)
        upper, along = space.limb((side * 0.196, 0.010, 1.290), elbow, 0.066 + bulk, 0.055 + bulk)
        lower, further = space.limb(elbow, (side * (0.250 + bulk), -0.055, 0.74), 0.055 + bulk, 0.047 + bulk)
        deep = np.clip(along * 1.6 - 0.25, 0, 1)
        rings = 0.75 * np.abs(crease + 0.4 * lumps) + 0.5 * (1 - np.abs(fine)).clip(0, 1)
        arm = joined(upper, lower, 0.03)
        arm = arm - sleeve * (0.0050 * rings * (0.35 + 0.65 * deep) + 0.0012 * lumps)
        arm = arm - sleeve * 0.002 * np.sin(further * 26 + lumps) * np.exp(-(((further - 0.12) / 0.2) ** 2))
        arms = arm if arms is None else np.minimum(arms, arm)
    return trunk, arms


def sewn(stage, space, distance, coat, hole=(0.105, 0.090), top=1.372, tilt=0.0, behind_from=0.0, soften=3):
    """The garment as two pieces, before and behind the neck, and its front surface as a function of x and z.

    `hole` is the half width and depth of the neck's opening; above `top` nothing is left."""
    neck = np.maximum(
        np.sqrt((space.x / hole[0]) ** 2 + ((space.y - 0.005) / hole[1]) ** 2) * min(hole) - min(hole),
        1.24 - space.z,
    )
    cut = np.maximum(np.maximum(distance, -neck), space.z - (top + tilt * space.y))
    vertices, faces = space.mesh(cut)
    middle = vertices[faces].mean(1)
    behind = (middle[:, 1] > behind_from) & (np.abs(middle[:, 0]) < 0.17) & (middle[:, 2] > 1.26)
    pieces = []
    for chosen in (faces[~behind], faces[behind]):
        piece = stage.place(stage.dense_mesh(vertices, chosen), coat=coat)
        smooth = piece.modifiers.new('soft', 'SMOOTH')
        smooth.iterations, smooth.factor = soften, 0.5
        pieces.append(piece)
    order = np.argsort(vertices[:, 1])
    near = vertices[order]

    def surface(x, z):
        found = near[(np.abs(near[:, 0] - x) < 0.007) & (np.abs(near[:, 2] - z) < 0.007)]
        return float(found[0, 1]) if len(found) else -0.12

    return pieces[0], pieces[1], surface


def solid(thing, thickness, bevel=0.0):
    """Give a sheet the thickness of cloth, hide or plate."""
    shell = thing.modifiers.new('thick', 'SOLIDIFY')
    shell.thickness, shell.offset = thickness, 0
    if bevel:
        edge = thing.modifiers.new('bevel', 'BEVEL')
        edge.width, edge.segments, edge.angle_limit = bevel, 2, 0.7
    return thing


def round_neck(stage, coat, shape, thickness=0.004, bevel=0.0012, steps=(241, 40), spread=math.pi):
    """A band around the neck as (before, behind). `shape(angle, share)` gives radius across, radius deep and
    height for arrays of angles and of shares, 0 at the lower edge to 1 at the upper."""
    halves = []
    for start, end in ((-math.pi / 2, math.pi / 2), (math.pi / 2, 2 * spread - math.pi / 2)):
        angle, share = np.meshgrid(np.linspace(start, end, steps[0]), np.linspace(0, 1, steps[1]))
        wide, deep, z = shape((angle + math.pi) % math.tau - math.pi, share)
        made = stage.sheet(wide * np.sin(angle), 0.005 - deep * np.cos(angle), z, coat)
        halves.append(solid(made, thickness, bevel))
    return halves


def hood(stage, coat, lining, half=(0.120, 0.158), centre=1.574, ahead=-0.088, peak=0.0, seed=1):
    """A hood that is up, as (outside, inside, rim): the outside frames the face, the inside is what is seen
    behind the head, the rim is the line of its edge."""
    from scipy.ndimage import gaussian_filter

    angle, share = np.meshgrid(np.linspace(-2.62, 2.62, 400), np.linspace(0, 1, 120))
    swell = np.sin(math.pi * np.clip(share * 0.86 + 0.02, 0, 1)) ** 0.7
    above = np.clip(np.cos(angle), 0, 1)
    wide = half[0] * (1 + 0.30 * swell + 0.14 * share**2)
    tall = half[1] * (1 + 0.18 * swell + 0.10 * share**2) + peak * above**6 * (0.35 + 0.65 * swell)
    chance = np.random.default_rng(seed)
    folds = gaussian_filter(chance.normal(size=angle.shape), (16, 7), mode='nearest')
    folds = 0.0040 * folds / folds.std() * np.clip(share * 3 - 0.3, 0, 1) * (1.35 - 0.7 * above)
    x, z = (wide + folds) * np.sin(angle), centre + (tall + folds) * np.cos(angle)
    y = ahead + 0.235 * share - 0.020 * above * (1 - share) + 0.030 * np.clip(-np.cos(angle), 0, 1)
    outside = solid(stage.sheet(x, y, z, coat), 0.005, 0.0015)
    turn, reach = np.meshgrid(np.linspace(-math.pi, math.pi, 160), np.linspace(0, 1, 50))
    low = np.where(np.cos(turn) < 0, 1.25, 1.26)
    inside = stage.sheet(
        1.13 * half[0] * reach * np.sin(turn),
        0.100 + 0.045 * (1 - reach**2),
        centre + half[1] * low * reach * np.cos(turn),
        lining,
    )
    return outside, inside, np.stack([x[0], y[0], z[0]], -1)


def wound(stage, coat, top, base=1.335, wide=(0.112, 0.078), reach=1.62, depth=0.0075, turns=21):
    """Cloth wound loosely round the neck, up to under the chin."""
    angle, share = np.meshgrid(np.linspace(-reach, reach, 260), np.linspace(0, 1, 110))
    winds = np.sin(share * turns + 2.2 * np.sin(angle * 1.3 + 0.5) + 0.8 * np.sin(angle * 3.1))
    winds = depth * winds * np.sin(math.pi * np.clip(share, 0.06, 0.96)) ** 0.5
    fine = 0.0018 * np.sin(share * 55 + angle * 5 + 1.5 * np.sin(angle * 4))
    radius = wide[0] + (wide[1] - wide[0]) * share**1.1 + winds + fine
    height = top + 0.003 * np.sin(angle * 3 + 1) + 0.010 * (1 - np.cos(angle))
    z = base + (height - base) * share
    return stage.sheet(radius * np.sin(angle), 0.005 - radius * 0.86 * np.cos(angle), z, coat)


def lumpy(x, y, z, size, depth, seed):
    """Push a sheet's points about as wool does: smooth noise of a size in points, a depth in metres."""
    from scipy.ndimage import gaussian_filter

    chance = np.random.default_rng(seed)
    moved = []
    for axis in (x, y, z):
        push = gaussian_filter(chance.normal(size=axis.shape), size, mode='nearest')
        moved.append(axis + depth * push / push.std())
    return moved


def fur(stage, thing, length, count, coat, seed, width=0.0011, lean=(0, 0, 0), curl=0.4, children=0):
    """Grow hair on a piece; it is seen and hidden together with it."""
    thing.data.materials.append(coat)
    thing.modifiers.new('fur', 'PARTICLE_SYSTEM')
    system = thing.particle_systems[-1]
    system.seed = seed
    hair = system.settings
    hair.type, hair.count, hair.hair_length = 'HAIR', count, length
    hair.hair_step, hair.render_step, hair.use_modifier_stack = 4, 3, False
    hair.factor_random = 0.25 * length * curl
    hair.length_random = 0.5
    hair.object_align_factor = lean
    hair.root_radius, hair.tip_radius, hair.radius_scale = 1.0, 0.15, width
    hair.material = len(thing.data.materials)
    if children:
        hair.child_type, hair.rendered_child_count = 'INTERPOLATED', children
        hair.clump_factor, hair.roughness_2, hair.roughness_endpoint = 0.35, 0.004, 0.004
    return thing


def pelt(stage, light, dark, spots=None):
    """The coat of fur's hairs. `spots(nodes, colour)` may paint markings by place."""

    def surface(nodes):
        along = nodes.add('ShaderNodeHairInfo').outputs['Intercept']
        colour = nodes.blend(along, dark, light)
        tone = nodes.span(nodes.add('ShaderNodeHairInfo').outputs['Random'], 0, 1, 0.7, 1.0)
        colour = nodes.blend(tone, (0, 0, 0), colour)
        return {'Base Color': spots(nodes, colour) if spots else colour}

    return stage.material(roughness=0.65, specular=0.25, shade=surface, Sheen=0.3)


def button(stage, at, radius, coat, turn=0.0, holes=None):
    """A button that looks at the camera, turned about the upright."""
    profile = [(0, 0.0028), (0.6, 0.0028), (0.72, 0.0020), (0.86, 0.0036), (0.97, 0.0030), (1.0, 0.0)]
    made = stage.lathe(
        [(r * radius, h * radius / 0.010) for r, h in profile], 32, coat, at, (math.pi / 2, 0, turn)
    )
    things = [stage.creased(made, 40)]
    if holes:
        for dx, dz in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            spot = (at[0] + 0.2 * radius * dx, at[1] - 0.0032 * radius / 0.010, at[2] + 0.2 * radius * dz)
            things.append(stage.lathe([(0, 0.0004), (0.1 * radius, 0)], 10, holes, spot, (math.pi / 2, 0, 0)))
    return things


def along_surface(surface, points, lift=0.002):
    """Points of the front, given as (x, z), laid onto the garment."""
    return [(x, surface(x, z) - lift, z) for x, z in points]


def smoothed(line, rounds=6):
    """A polyline without the jitter of the mesh that it was laid onto; its ends stay."""
    line = np.array(line, float)
    for _ in range(rounds):
        line[1:-1] = 0.25 * line[:-2] + 0.5 * line[1:-1] + 0.25 * line[2:]
    return line


def strap(stage, line, width, coat, thickness=0.004, across=(1, 0, 0)):
    """A flat band along a line of points, as wide as said in the direction `across`."""
    line, across = np.array(line, float), np.array(across, float)
    edges = np.stack([line + across * width * share for share in (-0.5, -0.46, 0, 0.46, 0.5)])
    edges[[0, -1], :, 1] += 0.0012
    return solid(stage.sheet(edges[..., 0].T, edges[..., 1].T, edges[..., 2].T, coat), thickness, 0.0008)


def zip_fastener(stage, line, coat, tape):
    """Two rows of teeth on a tape along a line, and the slider at its upper end."""
    line = smoothed(line, 12)
    things = [strap(stage, line, 0.020, tape, 0.0015)]
    gaps = np.append(0, np.linalg.norm(np.diff(line, axis=0), axis=1).cumsum())
    tooth = stage.box((0, 0, -9), (0.0042, 0.0030, 0.0017), coat, bevel=0.0004).data
    for k, place in enumerate(np.arange(0.003, gaps[-1], 0.0021)):
        at = [np.interp(place, gaps, line[:, axis]) for axis in range(3)]
        things.append(
            stage.place(tooth, (at[0] + (0.0014 if k % 2 else -0.0014), at[1] - 0.0022, at[2]), coat=coat)
        )
    end = line[-1]
    things.append(
        stage.box((end[0], end[1] - 0.005, end[2] - 0.006), (0.010, 0.006, 0.014), coat, bevel=0.002)
    )
    things.append(
        stage.box((end[0], end[1] - 0.008, end[2] - 0.024), (0.006, 0.002, 0.026), coat, bevel=0.0009)
    )
    return things


def studio(stage, key, key_colour, fill, fill_colour, rims, room=(0.03, 0.22), strength=0.24):
    """A key from the upper left, a weak fill from the right, edges from behind, and a room for metal to mirror."""

    def walls(nodes):
        way = nodes.add('ShaderNodeTexCoord').outputs['Generated']
        strips = nodes.span(nodes.noise(2.2, 2, 0.5, way), 0.54, 0.66)
        up = nodes.add('ShaderNodeSeparateXYZ', {0: way}).outputs[2]
        low, high = (tuple(share * c for c in fill_colour) for share in room)
        return nodes.blend(
            strips, nodes.blend(nodes.span(up, -0.6, 0.7), low, high), tuple(1.3 * c for c in key_colour)
        )

    stage.bpy.context.scene.render.use_persistent_data = True  # one scene, traced once a layer
    stage.sky(strength=strength, shade=walls)
    stage.lamp('AREA', (-1.7, -1.8, 2.6), key, key_colour, 0.8, (0, 0, 1.2))
    stage.lamp('AREA', (1.9, -1.5, 1.5), fill, fill_colour, 1.0, (0, 0, 1.1))
    (left, left_colour), (right, right_colour) = rims
    stage.lamp('AREA', (-1.6, 1.4, 1.9), left, left_colour, 0.7, (-0.1, 0, 1.25))
    stage.lamp('AREA', (1.6, 1.4, 2.1), right, right_colour, 0.7, (0.1, 0, 1.25))
