import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listReleaseFiles, listTaggedFiles } from './tagged-files.ts';

it('files belong to a run by the tag in their first line, by tests that are tagged, or by samples that grow with it', async () => {
  const root = await mkdtemp(join(tmpdir(), 'tagged-files-'));
  const folder = join(root, 'packages', 'text', 'src');
  await mkdir(folder, { recursive: true });
  // Put together here: Vitest would read them as tags of this file.
  const tag = (name: string) => `// @module${'-tag'} ${name}\n`;
  const sources = {
    usual: `import 'vitest';\n${tag('full')}`,
    long: tag('full'),
    longest: tag('release'),
    story: "it('is long', { tags: ['release'] }, () => {});\n",
    grows: "const runs = process.env.TEST_RELEASE === '1' ? 100 : 5;\n",
  };
  for (const [name, source] of Object.entries(sources))
    await writeFile(join(folder, `${name}.test.ts`), source);
  const paths = (...names: readonly string[]) => names.map((name) => `packages/text/src/${name}.test.ts`);
  expect(listTaggedFiles(['full'], root)).toEqual(paths('long'));
  expect(listTaggedFiles(['full', 'release'], root)).toEqual(paths('long', 'longest'));
  expect(listReleaseFiles(root)).toEqual(paths('grows', 'longest', 'story'));
  await rm(root, { recursive: true });
});
