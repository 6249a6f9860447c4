import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** A process of its own: the test runner's import has messages of its own. */
const program = `
import { pathToFileURL } from 'node:url';
import { describeLoadFailure } from ${JSON.stringify(new URL('load-custom-platform.ts', import.meta.url).href)};
const describe = (file) => import(pathToFileURL(file)).then(() => 'loaded', (error) => describeLoadFailure(error, file));
console.log(JSON.stringify(await Promise.all(process.argv.slice(1).map(describe))));
`;

const cases: readonly (readonly [text: string | null, said: RegExp])[] = [
  [null, /^there is no such file\.$/],
  ['export default () => {', /^Unexpected end of input\. The line is shown by: node \S+1\.mjs$/],
  ["\nimport { x } from 'node:fs';", / named 'x' \(file:\S+2\.mjs:2\)$/],
  ["import 'no-such-one';", /'no-such-one' imported from \S+3\.mjs$/],
  ["throw new Error('no token');", /^no token$/],
  ["throw 'no token';", /^no token$/],
];

it('says of a module that is not there, or has a mistake, what is wrong and where [NX-9]', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'failures-'));
  const fileOf = (index: number) => join(directory, `${index}.mjs`);
  for (const [index, [text]] of cases.entries()) if (text !== null) await writeFile(fileOf(index), text);
  const files = cases.map((_, index) => fileOf(index));
  const args = ['--conditions=@agent/source', '--input-type=module', '--eval', program, ...files];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  await rm(directory, { recursive: true });
  const said: readonly string[] = JSON.parse(stdout);
  expect(said).toHaveLength(cases.length);
  for (const [index, [, expected]] of cases.entries()) expect(said[index]).toMatch(expected);
});
