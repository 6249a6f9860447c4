import { describe, expect, it } from 'vitest';
import { environmentsSchema, findEnvironment, repositoryFileSchema } from '../config/environment-schemas.ts';
import { readRepositoryFile } from '../config/read-repository-file.ts';
import { intersectHosts, isListed, isPrivateAddress } from '../network/host-rules.ts';
import { defaultLimits } from '../sandbox/command-limits.ts';
import { applyEntry, narrowEnvironment } from './choose-environment.ts';

const defaults = { network: false, limits: defaultLimits, timeoutMs: 300_000 };

const entryOf = (written: object) => {
  const [entry = null] = environmentsSchema.parse([{ repositories: ['acme/*'], ...written }]);
  return entry;
};

/** What the operator allows, narrowed by what the repository's file says. */
const decide = (operator: object, repository: object) =>
  narrowEnvironment(applyEntry(entryOf(operator), defaults), repositoryFileSchema.parse(repository));

describe('the environment of a repository', () => {
  it('is that of the first entry which names it, whatever the case of its name [NX-211]', () => {
    const written = [['acme/shop'], ['acme/*', 'other/one'], ['*']];
    const entries = environmentsSchema.parse(written.map((repositories) => ({ repositories })));
    const find = (path: string) => findEnvironment(entries, path)?.repositories;
    expect(find('Acme/Shop')).toEqual(['acme/shop']);
    expect(find('acme/group/shop')).toEqual(['acme/*', 'other/one']);
    expect(find('other/two')).toEqual(['*']);
    expect(findEnvironment(entries.slice(0, 2), 'acme2/shop')).toBeNull();
    expect(applyEntry(null, { ...defaults, network: true })).toMatchObject({ network: 'on', shell: false });
  });

  it('is narrowed by the file of its base branch, and never widened [NX-211]', () => {
    const operator = {
      variables: { MODE: 'operator' },
      network: { allow: ['*.example.com', 'registry.test:4873'], private: ['registry.test:4873'] },
      limits: { memory_mb: 1_000 },
      timeout_seconds: 100,
      fetch: ['docs.example.com'],
    };
    const repository = {
      variables: { MODE: 'repository', OTHER: 'x' },
      network: { allow: ['cdn.example.com', 'evil.test', 'registry.test'], private: ['cdn.example.com'] },
      limits: { memory_mb: 2_000, processes: 50 },
      timeout_seconds: 900,
      shell: true,
      fetch: ['docs.example.com', 'evil.test'],
    };
    expect(decide(operator, repository)).toMatchObject({
      variables: { MODE: 'operator', OTHER: 'x' },
      network: { allow: ['cdn.example.com'], private: [] },
      limits: { memoryMb: 1_000, processes: 50 },
      timeoutMs: 100_000,
      shell: false,
      fetch: ['docs.example.com'],
    });
  });

  it('merges its base at any time, in rounds alone, or never, as operator and repository say [NX-252]', () => {
    const said = [{ merge_base: true }, {}, { merge_base: false }];
    expect(said.map((operator) => decide(operator, {}).mergeBase)).toEqual([true, null, false]);
    expect(said.map((operator) => decide(operator, { merge_base: true }).mergeBase)).toEqual([
      true,
      null,
      false,
    ]);
    expect(said.map((operator) => decide(operator, { merge_base: false }).mergeBase)).toEqual([
      false,
      false,
      false,
    ]);
    expect(applyEntry(null, defaults).mergeBase).toBeNull();
  });

  it('has files of LFS up to what the operator allows, or none where its file wants none [NX-229]', () => {
    expect(applyEntry(null, defaults).lfs).toEqual({ maxBytes: 2 ** 30 });
    expect(decide({ lfs: { max_mb: 2 } }, {}).lfs).toEqual({ maxBytes: 2 ** 21 });
    expect(decide({ lfs: { max_mb: 2 } }, { lfs: 'off' }).lfs).toBeNull();
    expect(decide({ lfs: false }, { lfs: true }).lfs).toBeNull();
  });

  it('has submodules as the operator allows, or none where its file wants none [NX-227]', () => {
    const allow = ['git.acme.dev/acme/*', 'github.com:8443/*'];
    const bounded = { submodules: { allow, max_mb: 2 } };
    expect(applyEntry(null, defaults).submodules).toEqual({ allow: [], maxBytes: 2 ** 30 });
    expect(decide(bounded, {}).submodules).toEqual({ allow, maxBytes: 2 ** 21 });
    expect(decide(bounded, { submodules: 'off' }).submodules).toBeNull();
    expect(decide({ submodules: 'off' }, { submodules: 'on' }).submodules).toBeNull();
    for (const place of ['*', 'https://github.com/acme/*', 'github.com', 'github.com/*/lib', '../lib'])
      expect(() => entryOf({ submodules: { allow: [place] } }), place).toThrow('must be host/owner/repo');
    expect(repositoryFileSchema.safeParse(bounded).success).toBe(false);
  });

  it.each([
    ['off', 'on', 'off'],
    ['off', { allow: ['a.test'] }, 'off'],
    ['on', 'off', 'off'],
    ['on', { allow: ['a.test'] }, { allow: ['a.test'], private: [] }],
    [{ allow: ['a.test'] }, 'on', { allow: ['a.test'], private: [] }],
    [{ allow: ['a.test'] }, { allow: ['b.test'] }, 'off'],
    [{ allow: ['a.test'] }, false, 'off'],
  ])('with the network %j, of which the repository wants %j, has %j [NX-211]', (allowed, wanted, left) => {
    expect(decide({ network: allowed }, { network: wanted }).network).toEqual(left);
  });

  it("runs the operator's set-up first, then the repository's, in the shorter of both times [NX-211]", () => {
    const operator = { setup: { commands: ['one'], locks: ['a'], keep: ['x'], on_failure: 'end' } };
    const repository = { setup: { commands: ['two'], locks: ['a', 'b'], keep: ['y'], timeout_seconds: 60 } };
    expect(decide(operator, repository).setup).toEqual({
      commands: ['one', 'two'],
      locks: ['a', 'b'],
      keep: ['x', 'y'],
      timeoutMs: 60_000,
      onFailure: 'end',
    });
    expect(decide({}, repository).setup?.onFailure).toBe('continue');
  });

  it('keeps nothing outside of the repository and the home, and nothing of git', () => {
    const parse = (keep: string) =>
      environmentsSchema.safeParse([{ repositories: ['*'], setup: { commands: ['x'], keep: [keep] } }])
        .success;
    expect(['node_modules', 'a/b', '~/.npm', '~/.cache/pip'].map(parse)).toEqual([true, true, true, true]);
    const refused = ['..', '.', '/etc', 'a/../../b', '~/../x', '.git', 'a/.GIT/hooks', '~/', 'a//b', './.'];
    expect(refused.filter(parse)).toEqual([]);
  });
});

describe("a repository's own file", () => {
  it('counts for nothing where there is a mistake in it, which is named [NX-211]', () => {
    expect(readRepositoryFile('network: off\n')).toMatchObject({ file: { network: 'off' }, problem: null });
    expect(readRepositoryFile('')).toMatchObject({ problem: null });
    for (const text of ['registries: []', 'a: [', 'setup: 3', '*a', 'a: 1\na: 2', `x: ${'y'.repeat(70_000)}`])
      expect(readRepositoryFile(text)).toEqual({
        file: null,
        problem: expect.stringContaining('.agent.yml'),
      });
  });
});

describe('a list of hosts', () => {
  it('names a host by its usual ports, or by the one that stands with it', () => {
    const rules = ['a.test', '*.b.test', 'c.test:8080'];
    const listed = ['a.test:443', 'A.TEST.:80', 'x.b.test:443', 'y.x.b.test:80', 'c.test:8080'];
    const others = [
      'a.test:8080',
      'xa.test:443',
      'b.test:443',
      'c.test:443',
      'a.test.evil:443',
      'xb.test:80',
    ];
    const has = (text: string) => {
      const [host = '', port] = text.split(':');
      return isListed(rules, { host, port: Number(port) });
    };
    expect([...listed, ...others].filter(has)).toEqual(listed);
  });

  it('has in common with another one what both name', () => {
    expect(
      intersectHosts(['*.a.test', 'b.test'], ['x.a.test', '*.y.a.test', 'b.test:443', 'b.test:8080']),
    ).toEqual(['x.a.test', '*.y.a.test', 'b.test:443']);
  });

  it('knows addresses that are private, also those of IPv4 in IPv6', () => {
    const addresses = [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '172.31.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '0.0.0.0',
      ...['168.63.129.16', '192.0.2.1', '198.51.100.1', '203.0.113.1'],
    ];
    const inSix = [
      '::1',
      '::',
      'fe80::1',
      'fd00::1',
      '::ffff:127.0.0.1',
      '::ffff:a00:1',
      '64:ff9b::7f00:1',
      '::127.0.0.1',
      '100::1',
      '2001:0:7f00:1::',
      '::1%lo',
      ...['3fff::1', '3fff:fff::1', '5f00::1'],
    ];
    expect([...addresses, ...inSix, 'no address'].filter((address) => !isPrivateAddress(address))).toEqual(
      [],
    );
    expect(
      ['93.184.216.34', '2606:2800:220:1::1', '172.32.0.1'].filter((address) => isPrivateAddress(address)),
    ).toEqual([]);
    expect(isPrivateAddress('168.63.129.15')).toBe(false);
  });

  it('counts the public addresses of its own network interfaces as private', () => {
    const own = () => ['93.184.216.34', '2606:2800:220:1::1'];
    expect(isPrivateAddress('93.184.216.34', own)).toBe(true);
    expect(isPrivateAddress('2606:2800:220:1:0:0:0:1', own)).toBe(true);
    expect(isPrivateAddress('93.184.216.35', own)).toBe(false);
  });
});
