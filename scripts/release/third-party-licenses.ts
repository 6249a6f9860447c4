import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Options } from 'tsup';

/** Name of the file beside an app's package.json. */
export const licensesFile = 'THIRD-PARTY-LICENSES';

/** The part that is read of what esbuild reports of a bundle. */
export interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

interface LicensedPackage {
  /** Such as `zod@4.6.7 (MIT)`. */
  readonly title: string;
  /** Texts of its license and notice files. */
  readonly text: string;
}

type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number];

const ruler = '='.repeat(80);

/** Lists the files that gave code to a bundle, relative to the folder that it was built in. */
export function listBundledFiles({ outputs }: Metafile): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return [...new Set(used.map(([path]) => path))];
}

/** Writes the licenses of all packages that gave code to a bundle into the folder that it is built in. */
export function thirdPartyLicenses(folder: string = process.cwd()): EsbuildPlugin {
  return {
    name: 'third-party-licenses',
    setup: ({ onEnd }) => {
      onEnd(({ metafile }) => {
        if (metafile === undefined) return;
        const files = listBundledFiles(metafile).filter((path) => path.includes('node_modules/'));
        const homes = new Set(files.map((path) => findHome(resolve(folder, path))));
        writeFileSync(
          join(folder, licensesFile),
          formatLicenses([...homes].map((home) => readLicense(home, homes))),
        );
      });
    },
  };
}

/** Formats the file: packages with the same text share a section, whose first lines name them. */
function formatLicenses(packages: readonly LicensedPackage[]): string {
  const titles = new Map<string, string[]>();
  for (const { title, text } of packages) titles.set(text, [...(titles.get(text) ?? []), title]);
  const sections = [...titles]
    .map(([text, names]) => `${[...new Set(names)].sort().join('\n')}\n\n${text}`)
    .sort();
  const head = 'This program contains code of these packages, under these licenses.';
  return `${[head, ...sections].join(`\n\n${ruler}\n`)}\n`;
}

/**
 * Reads the file that `thirdPartyLicenses` wrote.
 *
 * @returns license texts by package, such as `zod@4.6.7`
 */
export function parseLicenses(file: string): ReadonlyMap<string, string> {
  const sections = file.split(`\n\n${ruler}\n`).slice(1);
  return new Map(
    sections.flatMap((section) => {
      const end = section.indexOf('\n\n');
      const names = section.slice(0, end).split('\n');
      return names.map((title) => [title.replace(/ \([^()]*\)$/u, ''), section.slice(end).trim()] as const);
    }),
  );
}

/** Finds the folder of the package that a file belongs to. */
function findHome(file: string): string {
  const [, home] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//u.exec(file) ?? [];
  if (home === undefined) throw new Error(`${file} belongs to no package.`);
  return home;
}

/** Packages that are published without the text of their license, and one of the same authors under the same license. */
const sharedTexts: Readonly<Record<string, string>> = {
  '@ai-sdk/provider-utils': '@ai-sdk/provider',
  '@sapphire/async-queue': '@sapphire/shapeshift',
  '@sapphire/snowflake': '@sapphire/shapeshift',
  '@workflow/serde': '@ai-sdk/provider',
};

/** @throws Error if no license text is known for a package */
function readLicense(home: string, homes: ReadonlySet<string>): LicensedPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const title = `${name}@${version} (${license ?? 'see below'})`;
  const sibling = [...homes].find((one) => one.endsWith(`/node_modules/${sharedTexts[name]}`));
  const text = readTexts(sibling ?? home);
  if (text === '') throw new Error(`${title} has no license file in ${home}.`);
  return { title, text };
}

/** Reads the license and notice files of a package; empty if it has none. */
function readTexts(home: string): string {
  const isLicense = (file: string) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/iu.test(file);
  return readdirSync(home)
    .filter(isLicense)
    .sort()
    .map((file) => readFileSync(join(home, file), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n');
}
