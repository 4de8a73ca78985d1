/** What the reader of motion prompts knows. Longer phrases are read first. */

/** What can happen in the air and in the light of a clip. */
export const effectWords = {
  snow: 'snow, snowy, snowing, snowfall, snowflake, falling snow, snow falling, snow falls, blizzard, flurry, snowstorm',
  rain: 'rain, rainy, raining, rainfall, raindrop, rain falling, rain falls, drizzle, downpour, pouring rain',
  dust: 'dust, dusty, dust mote, mote, dust particle, particle, floating particle, floating dust, pollen, haze particle',
  sparks:
    'spark, sparkle, sparkling, sparkly, ember, glowing ember, glitter, glittering, magic dust, fairy dust, pixie dust, stardust, flying sparks',
  confetti:
    'confetti, paper confetti, confetti falls, confetti flutter, confetti rain, confetti shower, rain confetti, rain of confetti, shower of confetti, ticker tape, party popper',
  petals:
    'petal, flower petal, petals fall, petal flutter, petal rain, rain petal, rain of petals, shower of petals, cherry blossom, cherry blossom petal, sakura, sakura petal, blossom, falling blossom, blossom fall',
  'rose petals': 'rose petal, red petal, rain of rose petals, shower of rose petals, rose petals fall',
  leaves:
    'leaves fall, leaf fall, fallen leaf, fallen leaves, falling leaf, falling leaves, autumn leaf, autumn leaves, falling autumn leaves, autumn leaves fall, leaves drift, leaves swirl, leaves flutter, leaves float, swirling leaves, drifting leaves',
  bubbles: 'bubble, soap bubble, bubbles float, bubbles rise',
  balloons: 'balloon, party balloon, helium balloon, balloons rise, balloons float',
  fireflies: 'firefly, glowworm, glow worm, lightning bug',
  bokeh:
    'bokeh, bokeh light, blurred light, blurry light, twinkling light, fairy light, soft orb, glowing orb, twinkle, twinkling',
  'light sweep':
    'light sweep, light sweeps, sweep of light, sweeping light, sunlight sweeps, light passing, light passes, light moves, light moving, moving light, shifting light, changing light, light ray, light beam, ray of light, beam of light, sun ray, sunbeam, sunray, god ray, lens flare, flare, glint, shimmer, shimmering, flicker, flickering, flickering light, sunlight',
  breeze:
    'breeze, breezy, gentle wind, wind, windy, wind blows, wind blowing, blowing wind, gust, hair blowing, hair blows, hair moves, hair moving, hair flowing, hair flows, hair sways, blowing hair, flowing hair, in the wind, in the breeze, flutter, fluttering, sway, swaying, billow, billowing, rustle, rustling, ripple, rippling',
} as const;

const owners = ['', 'the', 'her', 'his', 'their', 'your', 'my'];
const ofHeads = (verb: string) => owners.map((owner) => `${verb} ${owner} head`).join(', ');

/** What people's faces can do. A turn goes to the side that is named in it or after it. */
export const gestureWords = {
  smile: 'smile, start to smile, begin to smile, break into a smile',
  nod: `nod, head nod, ${ofHeads('nod')}`,
  'head turn': `head turn, turn of the head, ${ofHeads('turn')}, look left, look right, look to the left, look to the right, look to her left, look to her right, look to his left, look to his right, glance left, glance right, glance to the left, glance to the right`,
} as const;

/** Words that go with what faces do. */
export const besideGestures = 'head face mouth lip eye gaze hair';

/** How one frame may become another. */
export const transitionWords = {
  morph:
    'morph, morphs, morphing, transform, transforms, transformation, turn into, turns into, becomes, become, change into, changes into, evolve, evolves',
  dissolve: 'dissolve, crossfade, cross fade, fade, fades into, fade into, blend, blends into, blend into',
  'light leak': 'light leak, flash, flash of light, white flash, burst of light, bright flash, whiteout',
  'matched zoom':
    'matched zoom, match cut, zoom transition, zoom through, whip, whip zoom, zoom blur, fly through, push through',
} as const;

/** Words that say slow or little, and fast or much: of the camera, or of the effect that they stand next to. */
export const paceWords = {
  less: 'slow, slowly, slow motion, gentle, gently, subtle, subtly, slight, slightly, soft, softly, calm, calmly, faint, faintly, delicate, few, sparse, mild, lazy, light, lightly',
  more: 'fast, faster, quick, quickly, rapid, rapidly, dramatic, dramatically, dynamic, energetic, swift, swiftly, heavy, heavily, strong, strongly, thick, dense, intense, wild, lots of, plenty of, sudden',
} as const;

export const standing =
  'static, static shot, static camera, still camera, camera still, stay still, stays still, hold still, holds still, locked off, locked, lock off, tripod, fixed camera, stationary, motionless, still shot';

export const handheldWords = 'handheld, hand held, shaky, camera shake, shaky cam, wobbly';

/** Words that go with an effect and ask for nothing more once it is there: "snow is falling", "wind in her hair". */
export const alongside: Readonly<Record<keyof typeof effectWords, string>> = {
  snow: 'fall drift fly swirl air flake sky winter',
  rain: 'fall pour drop sky window',
  dust: 'float drift hang swirl air fall golden',
  sparks: 'float drift fly rise swirl air fire golden glow',
  confetti:
    'fall rain drop float drift flutter swirl air party celebrate celebration colorful colourful paper sky',
  petals: 'fall rain drop float drift flutter swirl air flower pink white cherry tree spring sky',
  'rose petals': 'fall rain drop float drift flutter swirl air flower red sky',
  leaves: 'fall drop float drift flutter swirl air autumn colorful colourful golden tree leaf leave',
  bubbles: 'float drift rise fly blow air soap',
  balloons: 'float drift rise fly air party colorful colourful sky celebrate celebration birthday',
  fireflies: 'float drift fly glow blink flicker swarm night air',
  bokeh: 'float drift glow golden distance blur blurry',
  'light sweep': 'sweep pass move drift shine glow across face warm golden sun window',
  breeze:
    'blow move flow stir hair dress cloth clothes coat scarf sleeve leaf leave tree branch grass flag curtain',
};

/** Whom a camera moves to or around: it always goes to the people of the photo. */
export const subjects =
  'face subject person people man woman girl boy guy lady child couple pair family group friend team center centre middle';

/** Words that talk about the clip as a clip. */
export const clipWords =
  'camera cam video clip footage film movie animate animation motion movement move lens view viewpoint frame smooth smoothly across side first last start end begin beginning ending transition second';

/** The axes of the camera, with the names of going forth (1) and back (-1). */
export const axes = {
  /** The lens. */
  zoom: ['zoom in', 'zoom out'],
  /** The way towards the people. */
  dolly: ['dolly in', 'dolly out'],
  pan: ['pan right', 'pan left'],
  tilt: ['tilt up', 'tilt down'],
  /** Around the people: forth, the camera goes to the right. */
  orbit: ['orbit right', 'orbit left'],
} as const;
export type Axis = keyof typeof axes;

/** A word that moves the camera, and where it goes with each kind of direction. */
export interface CameraVerb {
  /** By the kind of direction that follows or precedes. */
  goes: Partial<Record<DirectionKind, Axis>>;
  /** Where it goes, forth, with no direction at all; without this it needs one. */
  alone?: Axis;
  /** People do it too: counts only after "camera" or as the first word of the prompt. */
  common?: boolean;
}

export const directions = {
  depth: {
    forth: 'in into inward inwards closer forward forwards toward towards',
    back: 'out outward outwards back backward backwards away',
  },
  sideways: {
    forth: 'right rightward rightwards clockwise',
    back: 'left leftward leftwards counterclockwise',
  },
  upright: { forth: 'up upward upwards', back: 'down downward downwards' },
  around: { forth: 'around about round', back: '' },
} as const;
export type DirectionKind = keyof typeof directions;

const track = { depth: 'dolly', sideways: 'pan', upright: 'tilt', around: 'orbit' } as const;
const common: CameraVerb = { goes: track, common: true };

export const cameraVerbs: Readonly<Record<string, CameraVerb>> = {
  zoom: { goes: { depth: 'zoom' }, alone: 'zoom' },
  dolly: { goes: track, alone: 'dolly' },
  push: { goes: { depth: 'dolly' } },
  pull: { goes: { depth: 'dolly' } },
  pan: { goes: { sideways: 'pan', upright: 'tilt', around: 'orbit' }, alone: 'pan' },
  truck: { goes: { sideways: 'pan' } },
  tilt: { goes: { upright: 'tilt' }, alone: 'tilt' },
  crane: { goes: { upright: 'tilt' } },
  pedestal: { goes: { upright: 'tilt' } },
  orbit: { goes: { sideways: 'orbit', around: 'orbit' }, alone: 'orbit' },
  arc: { goes: { sideways: 'orbit', around: 'orbit' } },
  circle: { goes: { sideways: 'orbit', around: 'orbit' } },
  rotate: { goes: { sideways: 'orbit', around: 'orbit' } },
  revolve: { goes: { sideways: 'orbit', around: 'orbit' } },
  parallax: { goes: {}, alone: 'orbit' },
  track: { goes: track },
  move: common,
  slide: common,
  glide: common,
  drift: common,
  fly: common,
  float: common,
  travel: common,
  swing: common,
  rise: { goes: {}, alone: 'tilt', common: true },
  approach: { goes: {}, alone: 'dolly', common: true },
  come: common,
  go: common,
};
