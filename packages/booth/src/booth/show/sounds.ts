/** Sounds of the booth, made by the browser itself: there is no file to load, and none to be missing. */
export interface Sounds {
  /** One of the countdown; the last one is higher. */
  count(left: number): void;
  shutter(): void;
  /** The picture appears. */
  reveal(): void;
}

const silence: Sounds = { count() {}, shutter() {}, reveal() {} };

let context: AudioContext | undefined;

export function soundsOf(isOn: boolean): Sounds {
  if (!isOn || typeof AudioContext === 'undefined') return silence;
  return {
    count: (left) => play([{ pitch: left > 1 ? 660 : 880, at: 0, seconds: 0.14, volume: 0.2 }]),
    shutter: () => playNoise(0.09),
    reveal() {
      // A chord that opens upwards: C, G, C, E, G.
      const pitches = [261.6, 392, 523.3, 659.3, 784];
      play(pitches.map((pitch, at) => ({ pitch, at: at * 0.09, seconds: 1.6 - at * 0.09, volume: 0.13 })));
    },
  };
}

interface Tone {
  pitch: number;
  /** Seconds from now. */
  at: number;
  seconds: number;
  volume: number;
}

function play(tones: readonly Tone[]): void {
  const audio = runningContext();
  for (const { pitch, at, seconds, volume } of tones) {
    const start = audio.currentTime + at;
    const tone = new OscillatorNode(audio, { type: 'triangle', frequency: pitch });
    const gain = new GainNode(audio, { gain: 0 });
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(volume, start + 0.015);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
    tone.connect(gain).connect(audio.destination);
    tone.start(start);
    tone.stop(start + seconds);
  }
}

/** Two short clicks of noise, as a shutter has. */
function playNoise(apart: number): void {
  const audio = runningContext();
  const buffer = audio.createBuffer(1, Math.round(audio.sampleRate * 0.03), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++)
    samples[at] = (Math.random() * 2 - 1) * (1 - at / samples.length) ** 2;
  for (const at of [0, apart]) {
    const source = new AudioBufferSourceNode(audio, { buffer });
    source.connect(new GainNode(audio, { gain: 0.25 })).connect(audio.destination);
    source.start(audio.currentTime + at);
  }
}

/** Browsers let a page sound once it was touched. */
function runningContext(): AudioContext {
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  return context;
}

/** Says a number or a word in the guest's language, where the device has a voice for it. */
export function speak(text: string, language: string): void {
  if (typeof speechSynthesis === 'undefined') return;
  speechSynthesis.cancel();
  speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(text), { lang: language, rate: 1.1 }));
}
