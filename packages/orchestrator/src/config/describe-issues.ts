import { findNearest } from '@agent/text/options';
import { z } from 'zod';

const secretKeys = /^(token|api_key|password|secret)$/;

/** Most letters by which a known key and a slip of it differ; one more for long keys, such as a plural in place of a singular. */
const farthestSlip = 2;
const longKey = 8;

/** The configuration as it was read, and what it should have been. */
export interface ReadConfiguration {
  readonly schema: z.ZodType;
  readonly input: unknown;
  /** Names of the sections below `platforms` that come with the app. */
  readonly platforms: readonly string[];
}

/** One mistake in a configuration. */
export interface ConfigMistake {
  /** Path of the setting, such as `llm.model`; empty for the whole file. */
  readonly path: string;
  /** A sentence with the path and what to do. Of values it quotes only numbers and names of repositories. */
  readonly text: string;
  /** Path of the key that was probably meant; null if none is similar. */
  readonly meant: string | null;
}

/** Describes what is wrong with a configuration. A slip for a key that is missing is one mistake, not two. */
export function describeIssues(error: z.ZodError, read: ReadConfiguration): readonly ConfigMistake[] {
  return withoutEchoes(error.issues.flatMap((issue) => describeIssue(issue, read)));
}

function withoutEchoes(mistakes: readonly ConfigMistake[]): readonly ConfigMistake[] {
  const meant = new Set(mistakes.map((mistake) => mistake.meant));
  return mistakes.filter(({ path }) => !meant.has(path));
}

function describeIssue(issue: z.core.$ZodIssue, read: ReadConfiguration): readonly ConfigMistake[] {
  const { schema, input, platforms } = read;
  const path = issue.path.map(String).join('.');
  if (issue.code === 'invalid_union' && issue.errors.length > 0) return describeUnion(issue, read);
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, issue.path);
    return issue.keys.map(
      (key) => toPlatformKey(key, { path, input, platforms }) ?? describeUnknownKey(key, { path, known }),
    );
  }
  if (issue.code === 'invalid_key') return [toMistake(path, `${path}: ${describeKey(issue)}.`)];
  const missing = issue.code === 'invalid_type' && valueAt(input, issue.path) === undefined;
  if (!missing) return [toMistake(path, `${path === '' ? 'the file' : path}: ${describeValue(issue, read)}`)];
  return isModuleOfPlatform(issue.path)
    ? [
        toMistake(
          path,
          `${path} is missing: ${issue.message}.${suggestPlatform(String(issue.path[1]), platforms)}`,
        ),
      ]
    : [toMistake(path, `${path} is missing: add it.`)];
}

function toMistake(path: string, text: string): ConfigMistake {
  return { path, text, meant: null };
}

function describeValue(issue: z.core.$ZodIssue, { schema, input }: ReadConfiguration): string {
  const value = valueAt(input, issue.path);
  const keys = issue.path.length === 0 ? ['platforms', 'llm', '…'] : knownKeys(schema, issue.path);
  const named = [...keys.slice(0, maxNamed), ...(keys.length > maxNamed ? ['…'] : [])].join(', ');
  const message = issue.message.replace(/\.$/, '');
  const said = named === '' ? message : message.replace('a section of keys', `a section of keys (${named})`);
  return `${said}${describeNumber(issue, value)}.${suggestValue(issue, value)}`;
}

/** Keys of a section that are named if its value is of the wrong type. */
const maxNamed = 4;

function describeKey({ issues }: z.core.$ZodIssueInvalidKey): string {
  return `this name ${issues[0]?.message ?? 'is not allowed'}`;
}

/** Suggests a choice that is similar to the text that was written. */
function suggestValue(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return '';
  const meant = findMeant(value.toLowerCase(), issue.values.map(String));
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

/** Message of zod for a union that has no message of its own. */
const unnamedMistake = 'Invalid input';

/** Describes what is wrong with the form that was probably meant. If it is unclear which, what either form needs. */
function describeUnion(
  issue: z.core.$ZodIssueInvalidUnion,
  read: ReadConfiguration,
): readonly ConfigMistake[] {
  const path = issue.path.map(String).join('.');
  if (issue.message !== unnamedMistake) return [toMistake(path, `${path}: ${issue.message}.`)];
  const forms = issue.errors.map((issues) => ({ issues, mistakes: countMistakes(issues) }));
  const fewest = Math.min(...forms.map(({ mistakes }) => mistakes));
  const describe = (inner: z.core.$ZodIssue) =>
    describeIssue({ ...inner, path: [...issue.path, ...inner.path] }, read);
  const likely = forms.filter(({ mistakes }) => mistakes === fewest).map(({ issues }) => issues);
  const [first = []] = likely;
  if (likely.length === 1) return first.flatMap(describe);
  const rivals = likely.map(unknownKeysAlone);
  if (rivals.every((keys) => keys.length > 0))
    return [
      toMistake(path, `${path}: ${rivals.flat().join(' and ')} cannot be used together. Keep one of them.`),
    ];
  const described = likely.map((issues) => issues.flatMap(describe));
  const shared = (described[0] ?? []).filter(({ text }) =>
    described.every((form) => form.some((other) => other.text === text)),
  );
  const alternatives = described.map((form) =>
    form.filter(({ text }) => !shared.some((one) => one.text === text)),
  );
  return [toMistake(path, describeAlternatives(path, alternatives)), ...shared];
}

function describeAlternatives(path: string, alternatives: readonly (readonly ConfigMistake[])[]): string {
  const missing = alternatives.map((form) =>
    form.flatMap((one) => /^(\S+) is missing: add it\.$/.exec(one.text)?.[1] ?? []),
  );
  if (missing.every((names) => names.length === 1)) {
    const keys = missing.flat().map((name) => name.slice(path.length + 1));
    return `${path} needs ${keys.join(' or ')}.`;
  }
  const texts = alternatives.map((form) => form.map(({ text }) => text.replace(`${path}: `, '')).join(' '));
  return `${path}: ${[...new Set(texts)].map((text) => text.replace(/\.$/, '')).join(', or ')}.`;
}

/** The keys that one form does not know, if nothing else is wrong with it: they belong to another form. */
function unknownKeysAlone(issues: readonly z.core.$ZodIssue[]): readonly string[] {
  const keys = issues.map((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  return keys.some((some) => some.length === 0) ? [] : keys.flat();
}

/** A key that is a slip for a missing one counts once for both. */
function countMistakes(issues: readonly z.core.$ZodIssue[]): number {
  const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  const others = issues.filter(({ code }) => code !== 'unrecognized_keys');
  const wanted = others.map(({ path }) => String(path.at(-1) ?? ''));
  const slips = unknown.filter((key) => findMeant(key, wanted) !== undefined);
  return unknown.length + others.length - slips.length;
}

/** A number out of range is quoted: unlike text it is not a secret. */
function describeNumber(issue: z.core.$ZodIssue, value: unknown): string {
  const outOfRange = issue.code === 'too_big' || issue.code === 'too_small';
  return outOfRange && typeof value === 'number' ? `, not ${value}` : '';
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

function suggestPlatform(name: string, platforms: readonly string[]): string {
  const nearest = findNearest(name.toLowerCase(), platforms);
  return nearest !== null && nearest.edits <= farthestSlip ? ` Did you mean platforms.${nearest.name}?` : '';
}

/** The older documents write `github.username`; here a platform's settings are below `platforms`. @see seed 001 §4.2 */
function toPlatformKey(
  key: string,
  read: { readonly path: string; readonly input: unknown; readonly platforms: readonly string[] },
): ConfigMistake | null {
  const platform = key.toLowerCase().replaceAll(/[_-]/g, '');
  if (read.path !== '' || !read.platforms.includes(platform)) return null;
  const section = valueAt(read.input, [key]);
  const names = typeof section === 'object' && section !== null ? Object.keys(section) : [];
  const meant =
    names.length === 0 ? [`platforms.${platform}`] : names.map((name) => `platforms.${platform}.${name}`);
  return toMistake(key, `${key} is not a known key. Did you mean ${meant.join(', ')}?`);
}

function describeUnknownKey(
  key: string,
  { path, known }: { readonly path: string; readonly known: readonly string[] },
): ConfigMistake {
  const prefix = path === '' ? '' : `${path}.`;
  const place = `${prefix}${key}`;
  if (secretKeys.test(key)) {
    const text = `${place}: this file is not the place for secrets. Put it into an environment variable or .env, and name the variable in ${key}_env.`;
    return toMistake(place, text);
  }
  const meant = findMeant(key, known);
  if (meant === undefined) return toMistake(place, `${place} is not a known key.`);
  return {
    path: place,
    text: `${place} is not a known key. Did you mean ${meant}?`,
    meant: `${prefix}${meant}`,
  };
}

/** Finds the known key of which this one is probably a slip, a shorter or a longer form. */
function findMeant(key: string, known: readonly string[]): string | undefined {
  const nearest = findNearest(key, known);
  if (nearest === null) return undefined;
  const farthest = key.length >= longKey ? farthestSlip + 1 : farthestSlip;
  if (nearest.edits <= farthest && nearest.edits <= key.length / 2) return nearest.name;
  const words = key.split('_');
  const hasWords = (one: string) => words.every((word) => one.split('_').includes(word));
  const isWord = (one: string) => one.length >= shortestForm && words.includes(one);
  const isForm = (one: string) => isShortFor(key, one) || isShortFor(one, key) || isSameThing(key, one);
  return known.find(hasWords) ?? known.find(isWord) ?? known.find(isForm);
}

/** Names of the places of tasks on different platforms. */
const sameThings = ['repositories', 'repository', 'repos', 'projects', 'project'];

function isSameThing(one: string, other: string): boolean {
  return sameThings.includes(one) && sameThings.includes(other);
}

/** Shortest key that is taken for the short form of another. */
const shortestForm = 3;

/** Tells whether a name is the beginning of another, or the consonants of it: `env`, `cmd`. */
function isShortFor(short: string, long: string): boolean {
  if (short.length < shortestForm || short.length >= long.length) return false;
  if (long.startsWith(short)) return true;
  return /^[^aeiouy_\W]+$/.test(short) && long.startsWith(short.charAt(0)) && isSubsequence(short, long);
}

function isSubsequence(short: string, long: string): boolean {
  let found = 0;
  for (const letter of long) if (letter === short.charAt(found)) found += 1;
  return found === short.length;
}

/** Tells whether a schema has a setting of this path, such as `llm.model`. */
export function isSetting(schema: z.ZodType, path: string): boolean {
  const parts = path.split('.');
  return knownKeys(schema, parts.slice(0, -1)).includes(parts.at(-1) ?? '');
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
  for (const inner of listInner(schema)) {
    const shape = shapeOf(inner);
    if (shape !== null) return shape;
  }
  return null;
}

/** Schemas that this one wraps; a preprocessed one is what it passes on. */
function listInner(schema: unknown): readonly unknown[] {
  const { def } = (schema ?? {}) as { readonly def?: Readonly<Record<string, unknown>> };
  return [def?.innerType, def?.in, def?.out].filter((inner) => inner !== undefined);
}

function catchallOf(schema: unknown): unknown {
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodObject) return schema.def.catchall;
  if (schema instanceof z.ZodRecord) return schema.def.valueType;
  return listInner(schema)
    .map(catchallOf)
    .find((found) => found !== undefined);
}
