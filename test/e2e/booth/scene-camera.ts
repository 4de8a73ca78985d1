import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** What a camera shows of a person: how large, and where its middle is, in shares of the view. */
export interface CameraScene {
  scale: number;
  x?: number;
  /** Of the light that there is. */
  light?: number;
  people?: 0 | 1 | 2;
}

const person = readFileSync(new URL('../../../catalog/samples/astronaut-head.jpg', import.meta.url));

/** A camera that shows scenes, one after the other: Chromium's own shows one video for ever. */
export async function useSceneCamera(page: Page): Promise<(scene: CameraScene) => Promise<void>> {
  await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/jpeg;base64,${base64}`;
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
    const context = canvas.getContext('2d')!;
    let scene: CameraScene = { scale: 1, people: 0 };
    const draw = ({ scale, x = 0.5, light = 1, people = 1 }: CameraScene) => {
      context.globalAlpha = 1;
      context.fillStyle = '#a8a49c';
      context.fillRect(0, 0, 640, 480);
      const [width, height] = [480 * scale * (image.width / image.height), 480 * scale];
      for (const middle of [[], [x], [x - 0.2, x + 0.2]][people]!)
        context.drawImage(image, 640 * middle - width / 2, 240 - height / 2, width, height);
      context.globalAlpha = 1 - light;
      context.fillStyle = '#000';
      context.fillRect(0, 0, 640, 480);
    };
    // A stream of a canvas has a frame for each time that it is drawn.
    setInterval(() => draw(scene), 100);
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
    Object.assign(window, {
      showScene(shown: CameraScene) {
        scene = shown;
      },
    });
  }, person.toString('base64'));
  return (scene) =>
    page.evaluate((shown) => (window as unknown as { showScene(to: object): void }).showScene(shown), scene);
}
