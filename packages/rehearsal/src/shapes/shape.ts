import { opaqueKeys, toTextKind } from './known-fields.ts';

/**
 * Kinds of the values of a JSON text by path, such as `$`, `$[]` and `$.user.login`. `absent` means that some of the objects lack the
 * key. `?` stands for all keys that no vendor documents.
 */
export type Shape = Readonly<Record<string, readonly string[]>>;

const unknownKey = '?';
const maxDepth = 16;
const maxEntries = 2_000;
const maxPaths = 2_000;

interface Place {
  readonly path: string;
  /** Key of the value, or of the array that contains it. */
  readonly key: string;
  /** True for an entry of an array. */
  readonly isEntry: boolean;
  readonly depth: number;
}

/** Describes a JSON value. Nothing of its texts, numbers and unknown keys remains. */
export function toShape(value: unknown, isKnown: (key: string) => boolean): Shape {
  const kinds = new Map<string, Set<string>>();
  const visit = (values: readonly unknown[], { path, key, isEntry, depth }: Place): void => {
    if (kinds.size >= maxPaths) return;
    kinds.set(path, new Set(values.map((one) => toKind(one, key))));
    const entries = values.filter(Array.isArray).flat(1).slice(0, maxEntries);
    const isOpaque = !isEntry && opaqueKeys.has(key);
    const objects = isOpaque ? [] : values.filter(isObject).slice(0, maxEntries);
    if (entries.length + objects.length === 0) return;
    if (depth === maxDepth) return void kinds.get(path)?.add('deeper');
    if (entries.length > 0) visit(entries, { path: `${path}[]`, key, isEntry: true, depth: depth + 1 });
    for (const [name, children] of groupByKey(objects, isKnown)) {
      const below = `${path}.${name}`;
      visit(children, { path: below, key: name, isEntry: false, depth: depth + 1 });
      if (name !== unknownKey && children.length < objects.length) kinds.get(below)?.add('absent');
    }
  };
  visit([value], { path: '$', key: '', isEntry: false, depth: 0 });
  return toSorted(kinds);
}

/** Text of a body, and its media type. Text null: longer than what is read, or not a text. */
export interface Body {
  readonly text: string | null;
  readonly contentType: string;
}

/** Describes a body: JSON by its values, events by the values of all of them, anything else by its kind alone. */
export function toBodyShape({ text, contentType }: Body, isKnown: (key: string) => boolean): Shape {
  if (text === null) return only('unread');
  if (text === '') return only('empty');
  if (contentType.includes('event-stream')) return toEventsShape(text, isKnown);
  if (contentType.includes('json')) return parsedShape(text, isKnown) ?? only('broken');
  if (contentType.includes('html')) return only('html');
  return only(contentType.startsWith('text/') ? 'text' : 'other');
}

/** Describes several values together. A key that only some of them have is `absent` in the others. */
export function mergeShapes(shapes: readonly Shape[]): Shape {
  const merged = new Map<string, Set<string>>();
  for (const shape of shapes)
    for (const [path, kinds] of Object.entries(shape))
      merged.set(path, new Set([...(merged.get(path) ?? []), ...kinds]));
  for (const [path, kinds] of merged)
    if (isField(path) && shapes.some((shape) => !(path in shape) && hasObject(shape, parentOf(path))))
      kinds.add('absent');
  return toSorted(merged);
}

/** The path of the object or array that contains a value. */
export function parentOf(path: string): string {
  return path.endsWith('[]') ? path.slice(0, -2) : path.slice(0, path.lastIndexOf('.'));
}

/** Checks for a value of an object, by a known key. */
export function isField(path: string): boolean {
  return !path.endsWith('[]') && path.includes('.') && !path.endsWith(`.${unknownKey}`);
}

/** Checks whether an object was found at a path. */
export function hasObject(shape: Shape, path: string): boolean {
  return shape[path]?.includes('object') === true;
}

function groupByKey(
  objects: readonly object[],
  isKnown: (key: string) => boolean,
): ReadonlyMap<string, readonly unknown[]> {
  const groups = new Map<string, unknown[]>();
  for (const object of objects)
    for (const [key, value] of Object.entries(object)) {
      const name = isKnown(key) ? key : unknownKey;
      const group = groups.get(name) ?? [];
      if (group.length < maxEntries) group.push(value);
      groups.set(name, group);
    }
  return groups;
}

function toKind(value: unknown, key: string): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'string' ? toTextKind(value, key) : typeof value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toSorted(kinds: ReadonlyMap<string, ReadonlySet<string>>): Shape {
  const sorted = [...kinds].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([path, values]) => [path, [...values].sort()]));
}

function toEventsShape(text: string, isKnown: (key: string) => boolean): Shape {
  const data = text
    .split(/\r?\n/)
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []));
  const events = data.filter((one) => one !== '' && one !== '[DONE]');
  const joined = parsedShape(`[${events.join(',')}]`, isKnown);
  return joined === null ? only('broken') : { ...joined, $: ['events'] };
}

function parsedShape(text: string, isKnown: (key: string) => boolean): Shape | null {
  try {
    return toShape(JSON.parse(text.replace(/^\uFEFF/, '')), isKnown);
  } catch {
    return null;
  }
}

function only(kind: string): Shape {
  return { $: [kind] };
}
