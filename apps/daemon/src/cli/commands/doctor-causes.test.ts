// @module-tag full
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Cause } from '../../../test/support/doctor-causes/cause.ts';
import { platformCauses } from '../../../test/support/doctor-causes/platform-causes.ts';
import { doubts, settingCauses } from '../../../test/support/doctor-causes/setting-causes.ts';
import { editConfig } from '../../../test/support/edit-config.ts';
import { type Examination, examine, startHealthyWorld } from '../../../test/support/examination.ts';
import { token, type World } from '../../../test/support/world.ts';

const causes = { ...platformCauses, ...settingCauses };

/** One world for all faults; each test begins with its configuration and without a `.env`. */
let world: World;
let config: string;
beforeAll(async () => {
  world = await startHealthyWorld();
  config = await readFile(world.configFile, 'utf8');
});
beforeEach(async () => {
  await writeFile(world.configFile, config);
  await rm(join(world.directory, '.env'), { recursive: true, force: true });
});
afterAll(() => world.close());

async function examineCause({ make }: Cause): Promise<Examination> {
  return examine(world, await make(world));
}

describe('doctor', () => {
  it.each(Object.entries(causes))('names the cause and its remedy if %s', async (_, cause) => {
    const { failed, output } = await examineCause(cause);
    const found = failed.filter(({ area }) => area === cause.area);
    expect(found).toEqual([
      expect.objectContaining({
        text: expect.stringMatching(cause.text),
        fix: expect.stringMatching(cause.fix),
        url: cause.url === undefined ? found[0]?.url : expect.stringMatching(cause.url),
      }),
    ]);
    expect(output).not.toContain(token);
  });

  it.each(Object.entries(doubts))('warns with the cause and its remedy if %s', async (_, cause) => {
    const { findings, output } = await examineCause(cause);
    expect(findings.filter(({ area, status }) => area === cause.area && status === 'warning')).toEqual([
      expect.objectContaining({
        text: expect.stringMatching(cause.text),
        fix: expect.stringMatching(cause.fix),
      }),
    ]);
    expect(output).not.toContain(token);
  });

  it('says that .env is not a file if it is a link to itself', async () => {
    await rm(join(world.directory, '.env'), { force: true });
    await symlink('.env', join(world.directory, '.env'));
    const { failed } = await examine(world);
    expect(failed).toMatchObject([{ area: 'config', text: expect.stringContaining('ELOOP') }]);
    expect(failed[0]?.fix).not.toContain('chmod');
  });

  it('says how to create a configuration if there is none, and nothing else', async () => {
    await rm(world.configFile);
    expect((await examine(world)).findings).toMatchObject([
      {
        text: `there is no configuration at ${world.configFile}`,
        fix: 'Run "agent-daemon init" to create one, or name another file with --config.',
      },
    ]);
  });

  it.each([
    ['UTF-16 LE', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 BE', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-8 with a byte-order mark and CRLF', (text: string) => Buffer.from(`\ufeff${text}`)],
  ])('reads a .env in %s', async (_, encode) => {
    await editConfig(world.configFile, { 'platforms.github.token_env': 'SHOP_TOKEN' });
    await writeFile(join(world.directory, '.env'), encode(`SHOP_TOKEN=${token}\r\n`));
    expect((await examine(world)).failed).toEqual([]);
  });
});
