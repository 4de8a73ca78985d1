import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentencesOf } from '@guise/contract/notes.ts';
import { type Effect, type Motion, readMotion } from '../../src/video/motion-words.ts';

interface Expected {
  camera?: Partial<Motion['camera']>;
  handheld?: boolean;
  speed?: number;
  effects?: Partial<Record<Effect, number>>;
  gestures?: Motion['gestures'];
  transition?: Motion['transition'];
  ignored?: string[];
}

const still = { zoom: 0, dolly: 0, pan: 0, tilt: 0, orbit: 0 };
const closer = { dolly: 1 };
const slow = 0.6;
const fast = 1.6;

/** What is not said: the camera comes closer at the usual speed, nothing falls, nothing is ignored. */
const prompts: readonly [string, Expected][] = [
  ['zoom in', { camera: { zoom: 1 } }],
  ['slow zoom in', { camera: { zoom: 1 }, speed: slow }],
  ['zoom slowly out', { camera: { zoom: -1 }, speed: slow }],
  ['zoom', { camera: { zoom: 1 } }],
  ['quick zoom in on her face', { camera: { zoom: 1 }, speed: fast }],
  ['dolly in', { camera: closer }],
  ['dolly back slowly', { camera: { dolly: -1 }, speed: slow }],
  ['the camera pushes in towards the couple', { camera: closer }],
  ['pull back', { camera: { dolly: -1 } }],
  ['camera moves closer', { camera: closer }],
  ['The camera slowly moves forward.', { camera: closer, speed: slow }],
  ['pan left', { camera: { pan: -1 } }],
  ['pan slowly across the room to the right', { camera: { pan: 1 }, speed: slow, ignored: ['room'] }],
  ['a slow left pan', { camera: { pan: -1 }, speed: slow }],
  ['panning', { camera: { pan: 1 } }],
  ['truck right', { camera: { pan: 1 } }],
  ['tracking shot to the left', { camera: { pan: -1 } }],
  ['tilt up', { camera: { tilt: 1 } }],
  ['camera tilts down', { camera: { tilt: -1 } }],
  ['crane up', { camera: { tilt: 1 } }],
  ['pan up', { camera: { tilt: 1 } }],
  ['orbit around the person', { camera: { orbit: 1 } }],
  ['the camera circles around her', { camera: { orbit: 1 } }],
  ['orbit left, fast', { camera: { orbit: -1 }, speed: fast }],
  ['zoom in and pan left', { camera: { zoom: 1, pan: -1 } }],
  ['tilt up while zooming out', { camera: { tilt: 1, zoom: -1 } }],
  ['zoom in, then zoom out', { camera: { zoom: 1 }, ignored: ['zoom'] }],
  ['handheld', { camera: closer, handheld: true }],
  ['hand-held camera, pan right', { camera: { pan: 1 }, handheld: true }],
  ['static shot', { camera: {} }],
  ['static camera, falling snow', { camera: {}, effects: { snow: 1 } }],
  ['locked-off tripod', { camera: {} }],
  ['no camera movement', { camera: {} }],
  ["don't move the camera", { camera: {} }],
  ['no zoom', { camera: {} }],
  ['no zoom, pan left', { camera: { pan: -1 } }],
  ['snow is falling', { effects: { snow: 1 } }],
  ['heavy snow', { effects: { snow: fast } }],
  ['light rain', { effects: { rain: slow } }],
  ['rain pouring down heavily', { effects: { rain: fast } }],
  ['slow zoom in with heavy snowfall', { camera: { zoom: 1 }, speed: slow, effects: { snow: fast } }],
  ['dust motes float in the air', { effects: { dust: 1 } }],
  ['glowing embers and sparks fly', { effects: { sparks: 1 } }],
  ['fireflies glow in the night', { effects: { fireflies: 1 } }],
  ['confetti is falling', { effects: { confetti: 1 } }],
  ['confetti rain', { effects: { confetti: 1 } }],
  ['raining confetti, heavy rain', { effects: { confetti: 1, rain: fast } }],
  ['lots of colourful confetti at a party', { effects: { confetti: fast } }],
  ['pink petals drifting down', { effects: { petals: 1 } }],
  ['cherry blossoms fall', { effects: { petals: 1 } }],
  ['rose petals', { effects: { 'rose petals': 1 } }],
  ['the camera moves in slowly, leaves fall', { speed: slow, effects: { leaves: 1 } }],
  ['falling leaves', { effects: { leaves: 1 } }],
  ['leaves rustle in the wind', { effects: { breeze: 1 } }],
  ['a few soap bubbles float', { effects: { bubbles: slow } }],
  ['balloons rise into the sky', { effects: { balloons: 1 } }],
  ['confetti but no balloons', { effects: { confetti: 1 } }],
  ['without petals or bubbles, pan left', { camera: { pan: -1 } }],
  ['soft bokeh', { effects: { bokeh: slow } }],
  ['a sweep of light across the face', { effects: { 'light sweep': 1 } }],
  ['sun rays and dust', { effects: { 'light sweep': 1, dust: 1 } }],
  ['her hair blowing in the wind', { effects: { breeze: 1 } }],
  ['a gentle breeze through his hair', { effects: { breeze: slow } }],
  ['no snow, light breeze', { effects: { breeze: slow } }],
  ['pan left without rain', { camera: { pan: -1 } }],
  ['slow motion', { speed: slow }],
  ['morph smoothly into the last frame', { transition: 'morph' }],
  ['she turns into a queen', { transition: 'morph', ignored: ['queen'] }],
  ['cross fade', { transition: 'dissolve' }],
  ['a flash of light', { transition: 'light leak' }],
  ['match cut', { transition: 'matched zoom' }],
  ['she walks towards the camera', { ignored: ['walks'] }],
  ['the woman moves left', { ignored: ['woman', 'left'] }],
  ['he smiles and waves', { gestures: { smile: 1 }, ignored: ['waves'] }],
  ['the woman smiles gently at the camera', { gestures: { smile: slow } }],
  ['she nods her head', { gestures: { nod: 1 } }],
  ['nodding and smiling', { gestures: { nod: 1, smile: 1 } }],
  ['she slowly turns her head to the left', { gestures: { 'head turn left': slow } }],
  ['he turns his head', { gestures: { 'head turn': 1 } }],
  ['pan left while she looks right', { camera: { pan: -1 }, gestures: { 'head turn right': 1 } }],
  ['turn your head right, zoom in', { camera: { zoom: 1 }, gestures: { 'head turn right': 1 } }],
  ['no smile, zoom in', { camera: { zoom: 1 } }],
  ["don't smile, nod", { gestures: { nod: 1 } }],
  ['a big grin', { ignored: ['big', 'grin'] }],
  ['a dragon lands, zoom out', { camera: { zoom: -1 }, ignored: ['dragon', 'lands'] }],
  ['', {}],
  ['Schneefall, bitte', { ignored: ['schneefall', 'bitte'] }],
];

/** A reading with its notes as callers see them. */
const read = (prompt: string) => {
  const motion = readMotion(prompt);
  return { ...motion, ...sentencesOf(motion) };
};

describe('readMotion', () => {
  for (const [prompt, expected] of prompts) {
    it(`reads “${prompt}”`, () => {
      const { applied, ...motion } = read(prompt);
      assert.deepEqual(motion, {
        handheld: false,
        speed: 1,
        effects: {},
        gestures: {},
        transition: null,
        ignored: [],
        ...expected,
        camera: { ...still, ...(expected.camera ?? closer) },
      });
      assert.ok(applied.length > 0, 'every clip moves, stands or says why not');
    });
  }

  it('says in plain words what it followed, and from which words', () => {
    assert.deepEqual(
      read('Slowly pan across to the left, handheld, with heavy snow, no rain; she dances').applied,
      [
        'camera: pan left (pan left)',
        'camera: handheld (handheld)',
        'speed: slow (slowly)',
        'effect: snow, strong (heavy snow)',
        'no rain',
      ],
    );
  });

  it('says which move it took when the prompt names none', () => {
    assert.deepEqual(read('a lovely day').applied, ['camera: dolly in (the prompt names no move)']);
  });

  it('reads a prompt of 2,000 characters at once', () => {
    const motion = readMotion('zoom in on the snow '.repeat(100));
    assert.equal(motion.camera.zoom, 1);
    assert.equal(motion.effects.snow, 1);
  });
});
