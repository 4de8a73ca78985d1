import { createInterface } from 'node:readline/promises';
import { AppError } from '../errors.ts';

/** Questions to whoever sits at the terminal. */
export interface Questions {
  /** With an option in place of the answer where nobody sits there. */
  text(question: string, option: string, usual?: string): Promise<string>;
  confirm(question: string): Promise<boolean>;
}

/** Asks on the terminal; with `yes`, everything is agreed to. */
export function askOnTerminal(yes: boolean): Questions {
  const ask = async (question: string): Promise<string> => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return (await lines.question(question)).trim();
    } finally {
      lines.close();
    }
  };
  return {
    async text(question, option, usual) {
      if (!process.stdin.isTTY) throw new AppError('USAGE', `${option} is needed.`);
      const answer = await ask(`${question}${usual === undefined ? '' : ` [${usual}]`} `);
      return answer === '' && usual !== undefined ? usual : answer;
    },
    async confirm(question) {
      if (yes) return true;
      if (!process.stdin.isTTY) return false;
      return /^y(es)?$/i.test(await ask(`${question} [y/N] `));
    },
  };
}
