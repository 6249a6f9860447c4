// @module-tag full
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import type { Component, Sbom } from './narrow-sbom.ts';
import { writeSboms } from './write-sboms.ts';

interface Bill extends Sbom {
  readonly components: readonly (Component & { readonly purl: string })[];
}

const packages = listPublishablePackages();
const folder = mkdtempSync(join(tmpdir(), 'agent-sbom-'));
const billOf = (name: string): Bill =>
  JSON.parse(readFileSync(join(folder, `${name.replace('@', '').replace('/', '-')}.cdx.json`), 'utf8'));

beforeAll(() => writeSboms(folder, packages), 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(packages.map(({ manifest }) => manifest.name))('the bill of materials of %s', (name) => {
  it('is sound, and names what reaches those who install it, without the tools of tests [NX-413]', () => {
    const bill = billOf(name);
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.7',
      serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
      metadata: { component: { purl: `pkg:npm/${name.replace('@', '%40')}@0.0.0` } },
    });
    const refs = bill.components.map((component) => component['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    const known = new Set([...refs, bill.metadata.component['bom-ref']]);
    for (const { ref, dependsOn } of bill.dependencies) {
      for (const one of [ref, ...dependsOn]) expect(known).toContain(one);
    }
    for (const { purl, scope } of bill.components) {
      expect(purl).toMatch(/^pkg:npm\/(?:%40[^/@]+\/)?[^/@]+@\d/);
      expect(scope).not.toBe('excluded');
    }
    for (const tool of ['vitest', 'esbuild', 'fast-check', 'playwright-core', 'typescript'])
      expect(bill.components.map((component) => component.name)).not.toContain(tool);
  });
});

it('of the daemon lists what its bundle is made of and what is installed with it, with their hashes [NX-381]', () => {
  const { components } = billOf('@agent/daemon');
  for (const name of ['hono', 'commander', 'pino', 'fs-native-extensions', 'require-addon']) {
    const found = components.find((one) => one.name === name);
    expect(JSON.stringify(found)).toMatch(/"alg":"SHA-512","content":"[0-9a-f]{128}"/);
  }
});
