import { writeFileSync } from 'node:fs';
import { recordFixtures } from './record-references.ts';

/** Records the reference shapes again: `node --conditions=@agent/source apps/daemon/test/shapes/main.ts`. */
for (const [name, content] of Object.entries(await recordFixtures()))
  writeFileSync(
    new URL(`../../../../packages/rehearsal/src/shapes/fixtures/${name}.json`, import.meta.url),
    `${JSON.stringify(content, null, 1)}\n`,
  );
