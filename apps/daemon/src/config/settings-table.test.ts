import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { configSchema } from './schema.ts';

const readme = new URL('../../README.md', import.meta.url);

/** Paths of every key of the configuration; `NAME` stands where a name is the writer's own. */
function listPaths(schema: unknown, path: readonly string[] = []): readonly string[] {
  if (schema instanceof z.ZodObject) {
    const named = Object.entries(schema.shape).flatMap(([key, value]) => listPaths(value, [...path, key]));
    const { catchall } = schema.def;
    return catchall instanceof z.ZodNever || catchall === undefined
      ? named
      : [...named, ...listPaths(catchall, [...path, 'NAME'])];
  }
  if (schema instanceof z.ZodRecord) {
    const below = listPaths(schema.valueType, [...path, 'NAME']);
    return below.length > 1 ? below : [path.join('.')];
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.filter((option) => option instanceof z.ZodObject);
    if (options.length > 0) return options.flatMap((option) => listPaths(option, path));
  }
  const { innerType, in: input } = (schema as { def: { innerType?: unknown; in?: unknown } }).def;
  const inner = innerType ?? input;
  return inner === undefined ? [path.join('.')] : listPaths(inner, path);
}

/** Keys that a row of the table names: those after the first stand beside it, and `.*` stands for all below. */
function readRows(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => /^\| `[a-z]/.test(line))
    .flatMap((line) => {
      const [first = '', ...others] = [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(
        ([, key = '']) => key,
      );
      const place = first.slice(0, first.lastIndexOf('.') + 1);
      return [first, ...others.map((key) => (key.includes('.') ? key : place + key))];
    });
}

it('names every key of the configuration in the table of settings, and no other', async () => {
  const rows = readRows(await readFile(readme, 'utf8'));
  const names = rows.map((row) => new RegExp(`^${row.replace('NAME', '[^.]+').replace(/\.\*$/, '\\..*')}$`));
  const isNamed = (path: string) => names.some((name) => name.test(path));
  const paths = listPaths(configSchema);
  expect(paths.filter((path) => !isNamed(path))).toEqual([]);
  expect(names.filter((name) => !paths.some((path) => name.test(path)))).toEqual([]);
});
