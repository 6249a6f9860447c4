import type { z } from 'zod';

/** Words for the types of YAML, as people who write a configuration know them. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a section of keys',
  record: 'a section of keys',
  null: 'empty',
  undefined: 'missing',
};

/**
 * Says what a setting must be, in place of zod's words. A message that the schema itself gives has precedence. The value is never
 * quoted: it may be a secret.
 */
export function toIssueMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected, issue.input);
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${describeUnit(issue.origin)}`;
    case 'too_small':
      return describeTooSmall(issue);
    case 'invalid_format':
      return issue.format === 'email' ? 'must be an e-mail address' : undefined;
    default:
      return undefined;
  }
}

function describeType(expected: string, input: unknown): string {
  const wanted = typeNames[expected] ?? expected;
  const given = typeOf(input);
  if (given === 'null') return `must be ${wanted}, but is empty. Give it a value`;
  if (expected === 'int' && given === 'number') return `must be ${wanted}`;
  return `must be ${wanted}, not ${typeNames[given] ?? given}${adviseOn(expected, input)}`;
}

function typeOf(input: unknown): string {
  if (input === null) return 'null';
  return Array.isArray(input) ? 'array' : typeof input;
}

/** Advice for the mistakes that are made most. */
function adviseOn(expected: string, input: unknown): string {
  const isNumber = expected === 'number' || expected === 'int';
  if (isNumber && typeof input === 'string' && /^\s*-?\d/.test(input))
    return '. Write the number alone, without a unit and without quotes';
  if (expected === 'boolean' && typeof input === 'string') return '. Write it without quotes';
  if (expected === 'string' && typeof input !== 'object') return '. Put it in quotes';
  if (expected === 'array' && typeof input === 'string')
    return '. Write it as [value], or after "- " on a line of its own';
  if (expected === 'array') return '. Start each entry with "- "';
  return '';
}

function describeTooSmall({
  minimum,
  inclusive,
  origin,
}: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  if (Number(minimum) === 1 && origin === 'string') return 'must not be empty';
  if (Number(minimum) === 1 && origin === 'array') return 'must have at least one entry';
  return `must be ${inclusive === false ? 'more than' : 'at least'} ${minimum}${describeUnit(origin)}`;
}

function describeUnit(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' entries long' : '';
}
