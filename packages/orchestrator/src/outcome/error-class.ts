/** Prefixes of classes, by the names of errors whose codes do not say where they come from. */
const prefixes: Readonly<Record<string, string>> = {
  PlatformError: 'platform',
  WorkspaceError: 'workspace',
  ContextStoreError: 'storage',
};

/**
 * Class of an error, as logs and traces name it: its `code` in small letters with underscores, after where it comes from, or its name.
 * `_OTHER` for anything else.
 *
 * @example
 * toErrorClass(new PlatformError('The server does not answer.', { code: 'unavailable' })); // 'platform_unavailable'
 */
export function toErrorClass(error: unknown): string {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  if (typeof name !== 'string' || name === 'Error') return '_OTHER';
  if (typeof code !== 'string') return fitClass(toSnakeCase(name.replace(/Error$/, '')));
  const prefix = prefixes[name];
  const own = toSnakeCase(code);
  return fitClass(prefix === undefined || own.startsWith(`${prefix}_`) ? own : `${prefix}_${own}`);
}

/** Name of a tool, as logs and traces name it: a model may call anything, and only what can be a tool's name is one. */
export function toToolName(tool: string): string {
  return /^[\w.:/-]{1,64}$/.test(tool) ? tool : '_OTHER';
}

const toSnakeCase = (text: string): string =>
  text
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_')
    .replaceAll('-', '_')
    .toLowerCase();

const fitClass = (text: string): string => (/^\w{1,64}$/.test(text) ? text : '_OTHER');
