import { createServer } from 'node:http';
import { Octokit } from '@octokit/rest';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { createGitHubPlatform } from './github/index.ts';
const body = JSON.stringify([]);
const server = createServer((q, s) => { if (q.headers['if-none-match']) { s.writeHead(304, { etag: '"a"' }); s.end(); } else { s.writeHead(200, { 'content-type': 'application/json', 'content-length': 2, etag: '"a"' }); s.end(body); } });
server.listen(0); const baseUrl = 'http://127.0.0.1:' + (server.address() as any).port;
const opt = { baseUrl, auth: 'x' };
const th = { throttle: { onRateLimit: () => false, onSecondaryRateLimit: () => false } };
const kinds: Record<string, () => Promise<unknown>> = {};
kinds.fetch = async () => (await fetch(baseUrl, { headers: { 'if-none-match': '"a"' } })).text();
kinds.fetch200 = async () => (await fetch(baseUrl)).text();
const mk = (o: any) => () => o.request('GET /x', { headers: { 'if-none-match': '"a"' } }).catch(() => {});
kinds.octokit = mk(new Octokit(opt));
kinds.retry = mk(new (Octokit.plugin(retry))(opt));
kinds.throttle = mk(new (Octokit.plugin(throttling))({ ...opt, ...th }));
kinds.both = mk(new (Octokit.plugin(throttling, retry))({ ...opt, ...th }));
const p = createGitHubPlatform({ token: 't', repositories: ['a/b'], baseUrl }).openThread({ type: 'github_issue', owner: 'a', repo: 'b', number: 1 });
let cur: any = null;
kinds.ours = async () => { const r = await p.comments.listComments({ since: cur }); };
for (const k of Object.values(kinds)) for (let i = 0; i < 50; i++) await k();
for (let r = 0; r < 3; r++) for (const [name, k] of Object.entries(kinds)) {
  const u = process.cpuUsage(), t = performance.now(); const n = 200;
  for (let i = 0; i < n; i++) await k();
  const d = process.cpuUsage(u); console.log(name.padEnd(10), ((d.user + d.system) / 1000 / n).toFixed(2), ((performance.now() - t) / n).toFixed(2));
}
server.close(); server.closeAllConnections(); setTimeout(() => process.exit(), 10);
