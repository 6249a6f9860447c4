import { gitHub } from './github/entry.ts';
import { gitLab } from './gitlab/entry.ts';
import { type BuiltInName, builtInNames } from './names.ts';
import type { PlatformEntry } from './platform-entry.ts';
import type { BuiltInSection } from './section.ts';

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
