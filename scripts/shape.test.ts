import { describe, expect, it } from 'vitest';
import { findAmbientEffects } from './shape/ambient-effects.ts';
import { findConfigurationTypes } from './shape/configuration-types.ts';
import { findUndocumentedExports } from './shape/docstrings.ts';
import { findHeavyApps, findLongFiles } from './shape/file-length.ts';
import { findFolderOrderProblems } from './shape/folder-order.ts';
import { findMainThreadCleaning } from './shape/foreign-texts.ts';
import { findIndexProblems } from './shape/index-files.ts';
import { findReminders, findSkippedTests } from './shape/leftovers.ts';
import { findManifestProblems } from './shape/manifests.ts';
import { findMissingFiles } from './shape/package-files.ts';
import { findWritesBesideOutbox } from './shape/platform-writes.ts';
import { findServiceBags } from './shape/service-bags.ts';
import { type Rule, readSourceTree } from './shape/source-tree.ts';
import { repositoryRoot } from './workspace/root.ts';

const rules: Readonly<Record<string, Rule>> = {
  'files are short': findLongFiles,
  'apps are thin': findHeavyApps,
  'an index exports by name and does nothing else': findIndexProblems,
  'every package and app has a README and a licence': findMissingFiles,
  'no bags of functions and parts': findServiceBags,
  'no part of an app takes its whole configuration': findConfigurationTypes,
  'the folders of a package have the order of its README': findFolderOrderProblems,
  'manifests promise the same everywhere': findManifestProblems,
  'what is public says what it is for': findUndocumentedExports,
  'time, chance and network come in through options': findAmbientEffects,
  'texts of strangers are cleaned off the main thread': findMainThreadCleaning,
  'a run writes on its platform by its outbox': findWritesBesideOutbox,
  'no reminders in sources': findReminders,
  'every test runs': findSkippedTests,
};

describe('the shape of the house', () => {
  const tree = readSourceTree(repositoryRoot);

  it('is looked at whole', () => {
    expect(tree.size).toBeGreaterThan(100);
  });

  it.each(Object.entries(rules))('%s', (_, rule) => {
    expect(rule(tree).map(({ path, message }) => `${path}: ${message}`)).toEqual([]);
  });
});
