// @module-tag full
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listBundled } from '../release/list-bundled.ts';
import { licensesFile, parseLicenses } from '../release/third-party-licenses.ts';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import { packPackage } from '../workspace/pack-package.ts';

const workbench = mkdtempSync(join(tmpdir(), 'agent-licenses-'));
const apps = listPublishablePackages().filter(({ folder }) => folder.startsWith('apps/'));

afterAll(() => rmSync(workbench, { recursive: true, force: true }));

describe.each(apps)('the tarball of $manifest.name', ({ folder, manifest }) => {
  it('has a license text for exactly the packages of its bundle', { timeout: 60_000 }, async () => {
    // Bundles the app, which writes the file.
    const bundled = [...(await listBundled(folder))].filter((name) => !name.startsWith('@agent/'));
    const tarball = await packPackage(folder, workbench);
    const file = execFileSync('tar', ['-xOf', tarball, `package/${licensesFile}`], { encoding: 'utf8' });
    const licenses = parseLicenses(file);
    expect(bundled.length, `${manifest.name} bundles nothing`).toBeGreaterThan(5);
    expect([...licenses.keys()].sort()).toEqual(bundled.sort());
    for (const [name, text] of licenses)
      expect(text, name).toMatch(/permission|licensed under|redistribution/iu);
  });
});
