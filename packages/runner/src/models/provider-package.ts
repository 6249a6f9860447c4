import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LanguageModel } from 'ai';
import { ModelSettingsError } from './model-settings-error.ts';

/** Everything that a package of the AI SDK needs to connect. */
export interface PackageSettings {
  readonly model: string;
  /** Null for the package's own. */
  readonly baseUrl: string | null;
  /** Null for what the package finds by itself. */
  readonly secret: string | null;
  readonly fetch: typeof globalThis.fetch;
  /** Directory of the configuration: the package is looked for from there, then from this program. */
  readonly directory: string;
}

type ModelObject = Exclude<LanguageModel, string>;

/**
 * Connects to a provider by the function of its package that creates one, such as `createMistral`.
 *
 * @throws ModelSettingsError if the package is not installed, cannot be loaded, or creates no provider
 */
export async function connectPackage(name: string, settings: PackageSettings): Promise<ModelObject> {
  const { model, baseUrl, secret, fetch, directory } = settings;
  const exported = await loadPackage(name, directory);
  const creates = Object.entries(exported).filter(
    (entry): entry is [string, (options: object) => unknown] =>
      /^create[A-Z]/.test(entry[0]) && typeof entry[1] === 'function',
  );
  const options = {
    fetch,
    ...(baseUrl === null ? {} : { baseURL: baseUrl }),
    ...(secret === null ? {} : { apiKey: secret }),
  };
  let cause: unknown;
  for (const [, create] of creates) {
    try {
      const created = toModel(create(options), model);
      if (created !== null) return created;
    } catch (error) {
      cause = error;
    }
  }
  const why = cause instanceof Error ? `: ${cause.message}` : '';
  throw new ModelSettingsError(
    `llm.provider: the package ${name} has no function such as createMistral that gives a language model${why}.`,
    { fault: 'module', cause },
  );
}

function toModel(provider: unknown, model: string): ModelObject | null {
  const { languageModel } = (provider ?? {}) as { readonly languageModel?: unknown };
  const made =
    typeof languageModel === 'function'
      ? languageModel.call(provider, model)
      : typeof provider === 'function'
        ? provider(model)
        : null;
  return typeof made === 'object' && made !== null && 'doGenerate' in made ? (made as ModelObject) : null;
}

async function loadPackage(name: string, directory: string): Promise<object> {
  const file = await findPackage(name, directory);
  const specifier = file === null ? name : pathToFileURL(file).href;
  return import(specifier).catch((cause: unknown) => {
    const isMissing = file === null && (cause as { readonly code?: unknown }).code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing)
      throw new ModelSettingsError(
        `llm.provider: the package ${name} cannot be loaded: ${(cause as Error).message}`,
        { fault: 'module', cause },
      );
    throw new ModelSettingsError(
      `llm.provider "${name}" needs the package ${name}, which is not installed.`,
      {
        fault: 'package-missing',
        remedy: `Install it beside the configuration or this program: npm install ${name}`,
        cause,
      },
    );
  });
}

/** Finds the entry of a package that is installed for a directory; null for none. */
async function findPackage(name: string, directory: string): Promise<string | null> {
  const { resolve: find } = createRequire(resolve(directory, 'package.json'));
  try {
    return find(name);
  } catch {
    // `require` does not find packages that can be imported only.
    for (const place of find.paths(name) ?? []) {
      const entry = await readEntry(join(place, name));
      if (entry !== null) return entry;
    }
    return null;
  }
}

async function readEntry(directory: string): Promise<string | null> {
  const manifest = await readFile(join(directory, 'package.json'), 'utf8').catch(() => null);
  if (manifest === null) return null;
  const { exports: exported, module, main } = JSON.parse(manifest) as Readonly<Record<string, unknown>>;
  const entry = findImport(exported) ?? module ?? main ?? 'index.js';
  return typeof entry === 'string' ? resolve(directory, entry) : null;
}

/** The file that an `exports` field names for `import`. */
function findImport(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return null;
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key of ['.', 'node', 'import', 'default']) {
    const found = findImport(fields[key]);
    if (found !== null) return found;
  }
  return null;
}
