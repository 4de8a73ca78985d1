import type { z } from 'zod';

/** zod's own words, which are for programmers; and those of an integer, which zod says of one out of its bounds too. */
const replacedMessages = /^(?:Too small|Too big|Invalid option|Invalid input)\b|^must be an integer$/;

/** What is wrong with a value, in plain words. */
export function issueMessage(issue: z.core.$ZodIssue): string {
  return (replacedMessages.test(issue.message) && plainMessageOf(issue)) || issue.message;
}

function plainMessageOf(issue: z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case 'too_small':
      if (issue.inclusive === false) return `must be more than ${issue.minimum}`;
      return `must ${amountOf(issue.origin, issue.minimum)} or more`;
    case 'too_big':
      if (issue.inclusive === false) return `must be less than ${issue.maximum}`;
      return `must ${amountOf(issue.origin, issue.maximum)} or ${issue.origin in countedThings ? 'fewer' : 'less'}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_type':
      return typeNames[issue.expected] && `must be ${typeNames[issue.expected]}`;
  }
}

const countedThings: Record<string, string> = { string: 'characters', array: 'entries' };
const amountOf = (origin: string, limit: number | bigint) =>
  origin in countedThings ? `have ${limit} ${countedThings[origin]}` : `be ${limit}`;

const typeNames: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};
