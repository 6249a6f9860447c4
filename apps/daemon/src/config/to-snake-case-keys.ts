import { ConfigError } from './config-error.ts';

/** Keys below these are the user's own and stay as they are. */
const opaque = new Set(['options']);

/**
 * Lets a configuration be written in camelCase as well, as the older documents do (`commentHandling`).
 * One that begins with a capital is neither, and stays as it is. A key that stands there in both spellings is an error, because one of them would silently lose.
 */
export function toSnakeCaseKeys(value: unknown, path = ''): unknown {
  if (Array.isArray(value)) return value.map((item, index) => toSnakeCaseKeys(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) {
    const name = /^[a-z]/.test(key)
      ? key.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      : key;
    const place = path === '' ? name : `${path}.${name}`;
    if (Object.hasOwn(result, name)) {
      throw new ConfigError(`${place} is written twice, once as ${key}: keep one of them.`);
    }
    result[name] = opaque.has(name) ? child : toSnakeCaseKeys(child, place);
  }
  return result;
}
