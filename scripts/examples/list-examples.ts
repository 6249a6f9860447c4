import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One folder of `examples/`. */
export interface Example {
  /** Folder name, such as `example-hearing`. */
  readonly name: string;
  readonly description: string;
  /** Path of the program from the root of the repository; null for an example without one. */
  readonly program: string | null;
}

/** Lists the examples of a checkout by name. */
export function listExamples(root: string): readonly Example[] {
  return readdirSync(join(root, 'examples'))
    .filter((name) => existsSync(join(root, 'examples', name, 'package.json')))
    .sort()
    .map((name) => {
      const manifest = JSON.parse(readFileSync(join(root, 'examples', name, 'package.json'), 'utf8')) as {
        readonly description: string;
      };
      const program = `examples/${name}/src/main.ts`;
      return {
        name,
        description: manifest.description,
        program: existsSync(join(root, program)) ? program : null,
      };
    });
}

/** Finds a program by the name of its example, with or without `example-`, or by its path; null if there is none. */
export function findProgram(examples: readonly Example[], given: string): string | null {
  const path = given.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '');
  const found = examples.find(({ name, program }) =>
    [name, name.replace('example-', ''), `examples/${name}`, program].includes(path),
  );
  return found?.program ?? null;
}

/** Formats the list that `npm run example` prints: name, description and command of each example. */
export function formatExampleList(examples: readonly Example[]): string {
  const entries = examples.map(
    (example) => `${example.name}\n  ${example.description}\n  ${toCommand(example)}`,
  );
  return ['Examples. They run on this machine only.', ...entries].join('\n\n');
}

function toCommand({ name, program }: Example): string {
  if (name === 'example-demo') return 'npm start';
  return program === null
    ? `Read examples/${name}/README.md`
    : `npm run example ${name.replace('example-', '')}`;
}
