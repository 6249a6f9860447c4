import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Audit, auditLockfile, tallyAudit } from './audit-lockfile.ts';

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A registry that answers the bulk endpoint for advisories. */
async function startRegistry(answer: { readonly status: number; readonly body: object }) {
  const asked: Record<string, readonly string[]>[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      const isBulk = request.method === 'POST' && request.url === '/-/npm/v1/security/advisories/bulk';
      if (isBulk) asked.push(JSON.parse(body));
      response.writeHead(isBulk ? answer.status : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { asked, audit: () => auditLockfile({ pnpm_config_registry: registry }) };
}

function tally(audit: Audit) {
  const lines: string[] = [];
  return { ...tallyAudit(audit, (line) => lines.push(line)), text: lines.join('\n') };
}

const advisory = (vulnerable: string, severity: string) => ({
  ...{ id: 1, url: 'https://github.com/advisories/GHSA-1', title: 'It leaks', severity },
  ...{ vulnerable_versions: vulnerable, cwe: [], cvss: { score: 7, vectorString: null } },
});

describe('an audit of the lockfile', () => {
  it('passes when the registry knows no advisory for what is locked', async () => {
    const { audit, asked } = await startRegistry({ status: 200, body: {} });
    expect(tally(await audit())).toMatchObject({ passed: 1, failed: 0 });
    expect(asked[0]).toMatchObject({ zod: expect.any(Array), pg: [expect.stringMatching(/^8\./)] });
  });

  it('fails for a locked version with a high advisory, and names it', async () => {
    const body = { pg: [advisory('>=8.0.0', 'high')], zod: [advisory('<0.1.0', 'critical')] };
    const { passed, failed, text } = tally(await (await startRegistry({ status: 200, body })).audit());
    expect([passed, failed]).toEqual([0, 1]);
    expect(text).toMatch(/^high: pg 8\..*It leaks .*GHSA-1/m);
    expect(text).not.toContain('zod');
  });

  it('reports a moderate advisory and passes', async () => {
    const body = { pg: [advisory('>=8.0.0', 'moderate')] };
    const outcome = tally(await (await startRegistry({ status: 200, body })).audit());
    expect(outcome).toMatchObject({ passed: 1, text: expect.stringContaining('moderate: pg 8.') });
  });

  it.each([405, 503])('passes nothing and says NOT CHECKED when the registry answers %i', async (status) => {
    const outcome = tally(await (await startRegistry({ status, body: {} })).audit());
    expect(outcome).toEqual({ passed: 0, failed: 0, text: `NOT CHECKED: the registry answers ${status}` });
  });

  it('says NOT CHECKED when the registry cannot be reached', async () => {
    const audit = await auditLockfile({ pnpm_config_registry: 'http://127.0.0.1:1/' });
    expect(tally(audit).text).toBe('NOT CHECKED: the registry cannot be reached');
  });
});
