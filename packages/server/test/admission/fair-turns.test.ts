import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { createAdmission } from '../../src/admission/admission.ts';
import { admissionTable, type GateName } from '../../src/admission/admission-table.ts';
import type { Gate, Place } from '../../src/admission/gate.ts';

const gateNames = Object.keys(admissionTable) as GateName[];
/** What one entry takes: the body of a large photo, one of everything else. */
const amountOf = (name: GateName) => (name === 'bodies' ? 28 * 2 ** 20 : 1);

interface Asked {
  place: Place;
  state: 'waiting' | 'running' | 'refused' | 'done';
}

/** Entries of a row, whose work takes one round each. */
function rowOf(gate: Gate, amount: number) {
  let running: Asked[] = [];
  const all: Asked[] = [];
  const ask = (owner: string): Asked => {
    const asked: Asked = { place: gate.open(owner), state: 'waiting' };
    all.push(asked);
    const begin = () => {
      asked.state = 'running';
      running.push(asked);
    };
    const waits = asked.place.take(amount);
    if (waits === undefined) begin();
    else
      waits.then(begin, () => {
        asked.state = 'refused';
      });
    return asked;
  };
  const endRunning = async () => {
    const ended = running;
    running = [];
    for (const asked of ended) {
      asked.state = 'done';
      asked.place.release();
    }
    await nextIteration();
  };
  return { ask, endRunning, close: () => all.reverse().forEach(({ place }) => void place.release()) };
}

/** How many rounds it takes until an owner's work is done, its own round included. */
async function roundsUntilDone(row: ReturnType<typeof rowOf>, owner: string): Promise<number> {
  const asked = row.ask(owner);
  let rounds = 0;
  for (; asked.state !== 'done'; rounds++) {
    assert.notEqual(asked.state, 'refused');
    await row.endRunning();
  }
  return rounds;
}

for (const descriptors of [128, 1024, 1_048_576]) {
  test(`whoever fills a queue at most doubles another's wait, with ${descriptors} descriptors`, async () => {
    const admission = createAdmission({ descriptors, bodyBytes: 512 * 2 ** 20 });
    for (const name of gateNames) {
      const gate = admission[name];
      const row = rowOf(gate, amountOf(name));
      const quiet = await roundsUntilDone(row, 'other');
      const { refused } = gate.counts;
      while (gate.counts.refused === refused && gate.counts.running + gate.counts.waiting < 12_000)
        row.ask('greedy');
      await nextIteration();
      const rounds = await roundsUntilDone(row, 'other');
      assert.ok(rounds <= 2 * quiet, `${name}: ${rounds} rounds instead of ${quiet}`);
      row.close();
    }
  });
}

/** Where one may have all of it: what each takes is short whatever is sent, or has had its turn before. */
const short: readonly GateName[] = ['password_hashes', 'large_images', 'job_pictures'];

for (const descriptors of [128, 1024, 1_048_576]) {
  test(`what may take long is never all of one owner, with ${descriptors} descriptors`, () => {
    const admission = createAdmission({ descriptors, bodyBytes: 512 * 2 ** 20 });
    for (const name of gateNames.filter((one) => !short.includes(one))) {
      const { atOnce, atOnceOfOwner } = admission[name].limits;
      assert.ok(atOnceOfOwner < atOnce, `${name}: ${atOnceOfOwner} of ${atOnce}`);
    }
  });
}
