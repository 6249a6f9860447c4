import { globSync } from 'node:fs';
import { posix } from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import configuration, { tests } from '../../.dependency-cruiser.mjs';

/** An import that breaks a rule; for a cycle of folders, `from` and `to` are folders. */
export interface Violation {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
  /** The way back from `to` to `from`; empty if the rule forbids the import itself. */
  readonly wayBack: readonly string[];
  /** At most three imports of files that make up an import between folders. */
  readonly imports: readonly string[];
}

const modules = [
  '{packages,apps,examples}/*/{src,test}/**/*.ts',
  '{trials,bench,site}/src/**/*.ts',
  'packages/*/client/**/*.js',
];
const isTest = new RegExp(tests);

/** Checks each import below a folder by the rules of `.dependency-cruiser.mjs`; those of cycles leave tests out. */
export async function cruiseImports(root: string): Promise<readonly Violation[]> {
  const files = globSync(modules, { cwd: root, exclude: (name) => name === 'node_modules' }).sort();
  const { forbidden, options } = configuration;
  const sources = await cruiseFiles(
    files.filter((path) => !isTest.test(path)),
    { ...options, baseDir: root, ruleSet: { forbidden } },
  );
  const ofTests = await cruiseFiles(
    files.filter((path) => isTest.test(path)),
    {
      ...options,
      baseDir: root,
      ruleSet: { forbidden: forbidden.filter(({ to }) => to.circular !== true) },
      doNotFollow: { path: '.' },
    },
  );
  return [...toViolations(sources), ...toViolations(ofTests)];
}

async function cruiseFiles(files: readonly string[], options: ICruiseOptions): Promise<ICruiseResult> {
  if (files.length === 0) throw new Error('found no files to check: run this in the repository');
  const { output } = await cruise([...files], { ...options, validate: true });
  if (typeof output === 'string') throw new Error(`expected a result, not a report: ${output}`);
  return output;
}

function toViolations({ modules: files, folders = [] }: ICruiseResult): readonly Violation[] {
  const ofFiles = files.flatMap(({ source, dependencies }) =>
    dependencies.flatMap(({ resolved, rules = [], cycle = [] }) =>
      rules.map(({ name }) => ({
        rule: name,
        from: source,
        to: resolved,
        wayBack: name === 'no-file-cycles' ? cycle.map((step) => step.name) : [],
        imports: [],
      })),
    ),
  );
  const ofFolders = folders.flatMap(({ name: from, dependencies = [] }) =>
    dependencies.flatMap(({ name: to, rules = [], cycle = [] }) =>
      rules.map(({ name }) => ({
        rule: name,
        from,
        to,
        wayBack: cycle.map((step) => step.name),
        imports: files
          .filter(({ source }) => source.startsWith(`${from}/`))
          .flatMap(({ source, dependencies: imported }) =>
            imported
              .filter(({ resolved }) => posix.dirname(resolved) === to)
              .map(({ resolved }) => `${source} → ${resolved}`),
          )
          .slice(0, 3),
      })),
    ),
  );
  return [...ofFiles, ...ofFolders];
}
