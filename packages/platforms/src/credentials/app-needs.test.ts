import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emitterEventNames } from '@octokit/webhooks';
import { describe, expect, it } from 'vitest';
import { parseGitHubEvent } from '../webhooks/github-origin.ts';
import {
  appEvents,
  findMissingPermissions,
  formatAppManifest,
  appPermissions as needed,
  pickPermissions,
} from './app-needs.ts';

const guide = fileURLToPath(new URL('../../../../docs/guides/github-app.md', import.meta.url));
const adapter = fileURLToPath(new URL('../github', import.meta.url));

describe('what an App is made for', () => {
  it('is each event that a delivery of is read, and no other [NX-210]', () => {
    const names = emitterEventNames.filter((name) => !name.includes('.') && name !== 'ping');
    const read = names.filter((name) => parseGitHubEvent(name, {}).kind !== 'ignored');
    expect(appEvents.map(({ name }) => name).toSorted()).toEqual(read.toSorted());
  });

  it('is each permission that a request of the adapter names when it is refused, and what a push may need [NX-210, NX-251]', async () => {
    const files = (await readdir(adapter, { recursive: true })).filter((file) =>
      /(?<!\.test)\.ts$/.test(file),
    );
    const sources = await Promise.all(files.map((file) => readFile(join(adapter, file), 'utf8')));
    const named = sources.flatMap((source) => [...source.matchAll(/'([a-z_]+): (read|write)\b/g)]);
    const isAskedFor = (name: string, level: string) =>
      needed.some((need) => need.name === name && [need.level, 'read'].includes(level));
    const missing = named.flatMap(([, name = '', level = '']) =>
      isAskedFor(name, level) ? [] : [`${name}: ${level}`],
    );
    // Every App may read metadata; a check is rerequested by the App that made it alone, and an agent makes none.
    expect(new Set(missing)).toEqual(new Set(['metadata: read', 'checks: write']));
    expect(needed.map(({ name, level }) => `${name}: ${level}`)).toContain('workflows: write');
    expect(new Set(named.map(([, name]) => name)).size).toBeGreaterThan(5);
  });

  it('is all in the guide', async () => {
    const text = await readFile(guide, 'utf8');
    for (const { name, level } of needed) expect(text).toContain(`${name.replaceAll('_', ' ')}: ${level}`);
    for (const { name } of appEvents) expect(text).toContain(`\`${name}\``);
  });
});

describe('the manifest of an App', () => {
  const app = { name: 'A', url: 'https://example.com', redirectUrl: 'https://example.com/settings/apps' };

  it('asks for no permission to change workflows or rerun jobs unless the operator wants it', () => {
    const permissionsOf = (isElevated: boolean) =>
      JSON.parse(formatAppManifest({ ...app, webhookUrl: null, isElevated })).default_permissions;
    expect(permissionsOf(false)).toEqual({
      ...{ metadata: 'read', contents: 'write', issues: 'write', pull_requests: 'write' },
      ...{ checks: 'read', statuses: 'read', actions: 'read' },
    });
    expect(permissionsOf(true)).toMatchObject({ actions: 'write', workflows: 'write' });
    expect(findMissingPermissions(permissionsOf(false))).toEqual([]);
  });

  it('gives tokens the permissions that a run needs, at the level that the installation has', () => {
    expect(
      pickPermissions({
        contents: 'write',
        issues: 'read',
        actions: 'write',
        administration: 'write',
        checks: 'write',
      }),
    ).toEqual({ metadata: 'read', contents: 'write', actions: 'write', checks: 'read' });
  });

  it('has no part of a webhook that nobody receives: GitHub refuses one without an address [NX-210]', () => {
    expect(Object.keys(JSON.parse(formatAppManifest({ ...app, webhookUrl: null })))).toEqual([
      ...['name', 'url', 'redirect_url', 'public', 'default_permissions'],
    ]);
    const received = JSON.parse(formatAppManifest({ ...app, webhookUrl: 'https://example.com/hook' }));
    expect(received.hook_attributes).toEqual({ url: 'https://example.com/hook', active: true });
    expect(received.default_events).toEqual(appEvents.map(({ name }) => name));
  });
});
