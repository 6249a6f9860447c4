// @module-tag full
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recordFixtures } from './record-references.ts';

const stored = (name: string): unknown =>
  JSON.parse(
    readFileSync(
      new URL(`../../../../packages/rehearsal/src/shapes/fixtures/${name}.json`, import.meta.url),
      'utf8',
    ),
  );

describe('the reference shapes of a rehearsal', () => {
  it('are those of the simulators and the matrix of models; `node --conditions=@agent/source apps/daemon/test/shapes/main.ts` records them again', async () => {
    for (const [name, content] of Object.entries(await recordFixtures()))
      expect(stored(name), name).toEqual(content);
  });
});
