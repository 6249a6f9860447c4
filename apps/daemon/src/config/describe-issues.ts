import { builtInNames } from '@agent/orchestrator/platforms/names';
import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import type { configSchema } from './schema.ts';

const secretKeys = /^(token|api_key|password|secret)$/;

/** A name further from a known one than this is somebody's own, not a slip of the finger. */
const farthestSlip = 2;

/** The configuration as it was read, and what it should have been. */
export interface ReadConfiguration {
  readonly schema: typeof configSchema;
  readonly input: unknown;
}

/** Renders what is wrong with a configuration, one line per mistake, each with its path and what to do; of values, numbers only. */
export function describeIssues(error: z.ZodError, read: ReadConfiguration): string {
  return error.issues.map((issue) => `  - ${describeIssue(issue, read)}`).join('\n');
}

function describeIssue(issue: z.core.$ZodIssue, { schema, input }: ReadConfiguration): string {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'invalid_union' && issue.errors.length > 0)
    return describeUnion(issue, { schema, input });
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, issue.path);
    const toPlace = (key: string) => toPlatformKey(key, { path, input });
    return issue.keys.map((key) => toPlace(key) ?? describeUnknownKey(key, { path, known })).join('\n  - ');
  }
  const missing = issue.code === 'invalid_type' && valueAt(input, issue.path) === undefined;
  if (!missing) return `${path === '' ? 'the file' : path}: ${issue.message}${describeNumber(issue, input)}`;
  return isModuleOfPlatform(issue.path)
    ? `${path} is missing: ${issue.message}.${suggestPlatform(String(issue.path[1]))}`
    : `${path} is missing: add it.`;
}

/** Describes what is wrong with the form that was meant most likely; with each of them where that cannot be told. */
function describeUnion(issue: z.core.$ZodIssueInvalidUnion, read: ReadConfiguration): string {
  const forms = issue.errors.map((issues) => ({ issues, mistakes: countMistakes(issues) }));
  const fewest = Math.min(...forms.map(({ mistakes }) => mistakes));
  const describe = (inner: z.core.$ZodIssue) =>
    describeIssue({ ...inner, path: [...issue.path, ...inner.path] }, read);
  const likely = forms.filter(({ mistakes }) => mistakes === fewest).map(({ issues }) => issues);
  const rivals = likely.map(unknownKeysAlone);
  if (likely.length > 1 && rivals.every((keys) => keys.length > 0)) {
    return `${issue.path.map(String).join('.')}: ${rivals.flat().join(' and ')} do not go together. Keep one of them.`;
  }
  const described = likely.map((issues) => issues.map(describe).join('\n  - '));
  return [...new Set(described)].join(' Or: ');
}

/** The keys that one form does not know, where nothing else is wrong with it: they belong to another form. */
function unknownKeysAlone(issues: readonly z.core.$ZodIssue[]): readonly string[] {
  const keys = issues.map((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  return keys.some((some) => some.length === 0) ? [] : keys.flat();
}

/** A key that is a slip for one that is missing counts once for both. */
function countMistakes(issues: readonly z.core.$ZodIssue[]): number {
  const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  const others = issues.filter(({ code }) => code !== 'unrecognized_keys');
  const wanted = others.map(({ path }) => String(path.at(-1) ?? ''));
  const slips = unknown.filter((key) => findMeant(key, wanted) !== undefined);
  return unknown.length + others.length - slips.length;
}

/** A number that is out of its range is no secret, unlike a text. */
function describeNumber(issue: z.core.$ZodIssue, input: unknown): string {
  const outOfRange = issue.code === 'too_big' || issue.code === 'too_small';
  const value = outOfRange ? valueAt(input, issue.path) : undefined;
  return typeof value === 'number' ? `, not ${value}` : '';
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (here, part) =>
      typeof here === 'object' && here !== null && Object.hasOwn(here, part)
        ? (here as Record<PropertyKey, unknown>)[part]
        : undefined,
    input,
  );
}

function isModuleOfPlatform(path: readonly PropertyKey[]): boolean {
  return path.length === 3 && path[0] === 'platforms' && path[2] === 'module';
}

function suggestPlatform(name: string): string {
  const nearest = closest(name.toLowerCase(), [...builtInNames]);
  return distance(name.toLowerCase(), nearest) <= farthestSlip ? ` Did you mean platforms.${nearest}?` : '';
}

/** The documents write `github.username`; here all of a platform stands under `platforms`. @see seed 001 §4.2 */
function toPlatformKey(key: string, read: { readonly path: string; readonly input: unknown }): string | null {
  const platform = key.toLowerCase().replaceAll(/[_-]/g, '');
  if (read.path !== '' || !builtInNames.some((name) => name === platform)) return null;
  const section = valueAt(read.input, [key]);
  const names = typeof section === 'object' && section !== null ? Object.keys(section) : [];
  const meant =
    names.length === 0 ? [`platforms.${platform}`] : names.map((name) => `platforms.${platform}.${name}`);
  return `${key} is not a known key. Did you mean ${meant.join(', ')}?`;
}

function describeUnknownKey(key: string, where: { path: string; known: readonly string[] }): string {
  const place = where.path === '' ? key : `${where.path}.${key}`;
  if (secretKeys.test(key)) {
    return `${place}: secrets do not belong in a file. Put it into an environment variable and name that in ${key}_env.`;
  }
  const meant = findMeant(key, where.known);
  return `${place} is not a known key.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
}

/** The known key that a slip of the finger, or words left out, may have made this one of. */
function findMeant(key: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const nearest = closest(key, [...known]);
  const slips = distance(key, nearest);
  if (slips <= farthestSlip && slips <= key.length / 2) return nearest;
  const words = key.split('_');
  return known.find((one) => words.every((word) => one.split('_').includes(word)));
}

function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let here: unknown = schema;
  for (const part of path) {
    here = shapeOf(here)?.[String(part)] ?? catchallOf(here);
  }
  return Object.keys(shapeOf(here) ?? {});
}

function shapeOf(schema: unknown): Record<string, unknown> | null {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodUnion) return Object.assign({}, ...schema.options.map(shapeOf));
  const inner = innerOf(schema);
  return inner === undefined ? null : shapeOf(inner);
}

function innerOf(schema: unknown): unknown {
  const def = (schema as { def?: { innerType?: unknown; in?: unknown } } | undefined)?.def;
  return def?.innerType ?? def?.in;
}

function catchallOf(schema: unknown): unknown {
  if (schema instanceof z.ZodObject) return schema.def.catchall;
  if (schema instanceof z.ZodRecord) return schema.def.valueType;
  const inner = innerOf(schema);
  return inner === undefined ? undefined : catchallOf(inner);
}
