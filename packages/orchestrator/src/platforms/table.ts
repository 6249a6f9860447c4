import { customPlatformShape } from '@agent/platforms/custom';
import { z } from 'zod';
import { gitHub } from './github-entry.ts';
import { gitLab } from './gitlab-entry.ts';
import { type BuiltInName, builtInNames } from './names.ts';
import type { PlatformEntry } from './platform-entry.ts';
import { type BuiltInSection, labelsShape, triggerShape, withDifferentLabels } from './section.ts';

/** Everything that is particular to a built-in platform. To add one: a folder beside this file, its name, and a line here. */
export const platformTable = { github: gitHub, gitlab: gitLab } satisfies Record<BuiltInName, unknown>;

/** A built-in platform that the configuration names. */
export interface NamedPlatform {
  readonly name: BuiltInName;
  readonly section: BuiltInSection;
  readonly entry: PlatformEntry<BuiltInSection>;
}

/** The entry of a platform, to be called with the section that its own schema has parsed. */
export function entryOf(name: BuiltInName): PlatformEntry<BuiltInSection> {
  return platformTable[name] as unknown as PlatformEntry<BuiltInSection>;
}

/** The built-in platforms that have a section, in the order of the table. */
export function listNamedPlatforms(
  sections: Readonly<Record<BuiltInName, BuiltInSection | null>>,
): readonly NamedPlatform[] {
  return builtInNames.flatMap((name) => {
    const section = sections[name];
    return section === null ? [] : [{ name, section, entry: entryOf(name) }];
  });
}

const custom = withDifferentLabels({ ...customPlatformShape, ...triggerShape, ...labelsShape });

/** Section of a platform whose adapter is a module of the user's own. */
export type CustomPlatformConfig = z.infer<typeof custom>;

type Table = typeof platformTable;

type Sections = { readonly [Name in BuiltInName]: z.infer<Table[Name]['schema']> | null };

const builtIn = Object.fromEntries(
  builtInNames.map((name) => [name, platformTable[name].schema.optional()]),
) as { [Name in BuiltInName]: z.ZodOptional<Table[Name]['schema']> };

/** Section `platforms`: those of the table, and any number of others by the names that their owners give them. */
export const platformsSchema = z
  .object(builtIn)
  .catchall(custom)
  .refine((platforms) => Object.values(platforms).some((platform) => platform !== undefined), {
    error: `configure at least one platform: ${builtInNames.join(', ')}, or a custom platform with its module`,
  })
  .transform((platforms) => {
    const given: Readonly<Record<string, unknown>> = platforms;
    const own = Object.entries(given).filter(([name]) => !Object.hasOwn(builtIn, name));
    return {
      ...(Object.fromEntries(builtInNames.map((name) => [name, given[name] ?? null])) as Sections),
      custom: Object.fromEntries(own) as Readonly<Record<string, CustomPlatformConfig>>,
    };
  });

/** Section `platforms` as it was parsed. */
export type PlatformSections = z.infer<typeof platformsSchema>;
