/** How far something is, on a terminal as one line that grows, elsewhere as a line for each part that is done. */
export interface ProgressBar {
  /** `done` of `total` of the part `name`. */
  show(name: string, done: number, total: number): void;
  end(): void;
}

const width = 30;
const drawEveryMs = 100;

export function progressBar(out: NodeJS.WriteStream = process.stderr): ProgressBar {
  let drawn = Number.NEGATIVE_INFINITY;
  return {
    show(name, done, total) {
      const fraction = total === 0 ? 1 : done / total;
      const line = `${name.padEnd(16)} ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
      if (!out.isTTY) {
        if (done === total) out.write(`${line}\n`);
        return;
      }
      if (done < total && performance.now() - drawn < drawEveryMs) return;
      drawn = performance.now();
      const filled = Math.round(fraction * width);
      out.write(`\r\x1b[K[${'█'.repeat(filled)}${'·'.repeat(width - filled)}] ${line}`);
      if (done === total) out.write('\n');
    },
    end() {
      if (out.isTTY) out.write('\x1b[K');
    },
  };
}
