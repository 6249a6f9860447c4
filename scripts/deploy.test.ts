import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { showAllMetrics } from '../apps/daemon/test/support/show-all-metrics.ts';
import { repositoryRoot } from './workspace/root.ts';

const deploy = join(repositoryRoot, 'deploy');
const dockerfile = readFileSync(join(deploy, 'Dockerfile'), 'utf8');
const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

/** A result of the linter, whose own declarations name their files without endings and are not found. */
interface ComposeResult {
  readonly messages: readonly { readonly line: number; readonly message: string }[];
}

/** Lists what the linter says of a file of Docker Compose; it checks the file by the schema of the specification first. */
function lintCompose(file: string): readonly string[] {
  // A merged key stands first here, as readers look for it there.
  const linter = new DCLinter({
    rules: { 'service-keys-order': 0 },
    quiet: false,
    debug: false,
    exclude: [],
  });
  const results: readonly ComposeResult[] = linter.lintFiles([file], false);
  if (results.length === 0) throw new Error(`${file} is no file that the linter takes.`);
  return results.flatMap(({ messages }) => messages.map(({ line, message }) => `${line}: ${message}`));
}

describe('the files that run a cluster in containers', () => {
  it('are a Dockerfile and a compose.yaml that linters find nothing in', () => {
    const findings = validate(dockerfile).map(({ range, message }) => `${range.start.line + 1}: ${message}`);
    expect([...findings, ...lintCompose(join(deploy, 'compose.yaml'))]).toEqual([]);
  });

  it('make an image that is not root, has git and bubblewrap, ends its orphans and says whether it is alive', () => {
    expect(lastStage).toMatch(/^USER node$/m);
    expect(lastStage).toMatch(/install .*bubblewrap .*git tini/);
    expect(lastStage).toMatch(/^HEALTHCHECK [\s\S]*\/healthz/m);
    expect(lastStage).toMatch(/^ENTRYPOINT \["tini", /m);
  });

  it('take into the image the daemon, what reaches the database, node and npm, and nothing that only builds need [NX-412]', () => {
    expect(lastStage).toMatch(/^\nFROM debian:bookworm-slim(?:@sha256:[0-9a-f]{64})?$/m);
    expect(lastStage.match(/^COPY .*$/gm)).toEqual([
      'COPY --from=build /usr/local/bin/node /usr/local/bin/node',
      'COPY --from=build /usr/local/lib/node_modules/npm /usr/local/lib/node_modules/npm',
      'COPY --from=build /app /app',
    ]);
    expect(lastStage.match(/apt-get install.*/g)).toEqual([
      'apt-get install --yes --no-install-recommends bubblewrap ca-certificates git tini \\',
    ]);
    // The account that compose.yaml and the guide give files to.
    expect(lastStage).toContain('useradd --uid 1000 ');
  });

  it('install the Node that the checkout names, and the rest from the lockfile', () => {
    const node = readFileSync(join(repositoryRoot, '.node-version'), 'utf8').trim();
    expect(dockerfile).toMatch(
      new RegExp(`^FROM node:${node}-bookworm-slim(?:@sha256:[0-9a-f]{64})? AS build$`, 'm'),
    );
    expect(dockerfile).not.toMatch(/npm (?:install|i|add) /);
    expect(dockerfile).toMatch(/pnpm --filter agent-image deploy --prod .* \/app$/m);
    const { name, dependencies } = JSON.parse(readFileSync(join(deploy, 'package.json'), 'utf8'));
    expect(name).toBe('agent-image');
    expect(Object.keys(dependencies)).toEqual(['@agent/daemon', 'pg', 'pg-boss']);
    const lockfile = parse(readFileSync(join(repositoryRoot, 'pnpm-lock.yaml'), 'utf8'));
    expect(Object.keys(lockfile.importers.deploy.dependencies)).toEqual(Object.keys(dependencies));
  });
});

/** Part of a JSON schema. */
interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly default?: unknown;
}

/** Lists the settings that name a variable or a file with a secret, with the default. */
function listSecretSettings(schema: Schema, path = ''): readonly (readonly [string, unknown])[] {
  const { properties = {}, items, additionalProperties } = schema;
  const alternatives = ['anyOf', 'oneOf', 'allOf'].flatMap(
    (name) => (schema[name] ?? []) as readonly Schema[],
  );
  const below = [items, additionalProperties].filter((one) => typeof one === 'object') as readonly Schema[];
  return [
    ...[...alternatives, ...below].flatMap((one) => listSecretSettings(one, path)),
    ...Object.entries(properties).flatMap(([name, child]) => {
      const at = path === '' ? name : `${path}.${name}`;
      const own = /_(?:env|file)$/.test(name) ? [[at, child.default] as const] : [];
      return [...own, ...listSecretSettings(child, at)];
    }),
  ];
}

/** Names of the secrets of settings without a default, in deploy/. Null for a file without a secret. */
const chosenNames: Readonly<Record<string, string | null>> = {
  'environments.repository_file': null,
  'environments.registries.token_env': 'REGISTRY_TOKEN',
  'http.metrics_token_file': 'metrics-token',
  'http.page.proxy.secret_env': 'PROXY_SECRET',
  'llm.api_key_env': 'OPENAI_API_KEY',
  'llm.models.planning.api_key_env': 'OPENAI_API_KEY',
  'llm.models.summary.api_key_env': 'OPENAI_API_KEY',
  'llm.models.work.api_key_env': 'OPENAI_API_KEY',
  'mcp_servers.token_env': 'MCP_TOKEN',
  'pause_resume.signal_file': null,
  // The same secrets as in the variables, at a path of one's own.
  'platforms.github.app.private_key_file': 'GITHUB_APP_PRIVATE_KEY',
  'platforms.github.token_file': 'GITHUB_TOKEN',
  'platforms.gitlab.token_file': 'GITLAB_TOKEN',
  'workspaces.signing.key_env': 'SIGNING_KEY',
  'workspaces.signing.key_file': 'SIGNING_KEY',
};

describe('the secrets of the configuration', () => {
  const schema = JSON.parse(
    readFileSync(join(repositoryRoot, 'apps/daemon/agent.config.schema.json'), 'utf8'),
  );
  const settings = [...new Map(listSecretSettings(schema))];
  const unit = readFileSync(join(deploy, 'agent-daemon.service'), 'utf8');
  const compose = readFileSync(join(deploy, 'compose.yaml'), 'utf8');
  // As it is with every line activated.
  const whole = parse(compose.replace(/^(\s*)# (- )?([A-Z_]+:?$| {2}file: \.\/secrets)/gm, '$1$2$3'), {
    merge: true,
  });

  it.each(settings)(
    'have a place for %s as a credential of systemd and a secret of Docker [NX-424]',
    (path, given) => {
      const name = typeof given === 'string' ? given : chosenNames[path];
      expect(name, `deploy/ has no place for ${path}: add one, and its name here`).toBeDefined();
      if (name == null) return;
      expect(unit).toMatch(new RegExp(`^#?LoadCredential=${name}:/etc/agent/secrets/${name}$`, 'm'));
      const secret = name.replace('metrics-token', 'metrics_token');
      expect(whole.secrets[secret]).toEqual({ file: `./secrets/${secret}` });
      for (const service of ['looker', 'worker']) expect(whole.services[service].secrets).toContain(secret);
    },
  );

  it('are in no variable of systemd and Docker [NX-424]', () => {
    expect(settings.length).toBeGreaterThan(15);
    expect(unit).not.toMatch(/^ExecStart=.*(?:sh -c|TOKEN)/m);
    for (const service of ['looker', 'worker'])
      expect(whole.services[service].environment).toEqual({ CREDENTIALS_DIRECTORY: '/run/secrets' });
  });
});

describe('the files for Prometheus and Grafana', () => {
  const read = (file: string) => parse(readFileSync(join(deploy, file), 'utf8'));

  it('send the token that the daemon requires, from the secret of compose.yaml', () => {
    const file = read('agent.config.yaml').http.metrics_token_file;
    expect(file).toBe('/run/secrets/metrics_token');
    expect(read('prometheus.yaml').scrape_configs[0].authorization).toEqual({
      type: 'Bearer',
      credentials_file: file,
    });
    const { services, secrets } = parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8'), { merge: true });
    expect(secrets.metrics_token).toEqual({ file: './secrets/metrics_token' });
    for (const name of ['looker', 'worker']) expect(services[name].secrets).toContain('metrics_token');
  });

  it('have an entry in the runbook for each alert and each cause', async () => {
    const runbook = readFileSync(join(repositoryRoot, 'docs/guides/runbook.md'), 'utf8');
    const alerts: readonly { alert: string }[] = read('alerts.yaml').groups[0].rules;
    expect(alerts.length).toBeGreaterThan(0);
    const { en } = await import('../packages/orchestrator/src/state/texts.en.ts');
    for (const name of [...alerts.map(({ alert }) => alert), ...Object.keys(en.problems)])
      expect(runbook).toContain(`\`${name}\``);
  });

  it('ask for numbers and labels that /metrics shows [NX-427]', async () => {
    const shown = await showAllMetrics();
    const rules: readonly { expr: string }[] = read('alerts.yaml').groups[0].rules;
    const panels: readonly { targets?: readonly { expr: string }[] }[] = JSON.parse(
      readFileSync(join(deploy, 'grafana/agent.json'), 'utf8'),
    ).panels;
    const queries = panels.flatMap(({ targets = [] }) => targets);
    expect([rules.length > 8, queries.length > 20]).toEqual([true, true]);
    for (const { expr } of [...rules, ...queries]) {
      const { names, labels } = readExpression(expr);
      expect(names.length + (expr.match(/\bup\b/g) ?? []).length, expr).toBeGreaterThan(0);
      const samples = shown.samples.filter(({ name }) => names.includes(name));
      expect(new Set(samples.map(({ name }) => name)), expr).toEqual(new Set(names));
      const known = new Set(['job', 'instance', ...samples.flatMap((one) => Object.keys(one.labels))]);
      expect(
        labels.filter((label) => !known.has(label)),
        expr,
      ).toEqual([]);
    }
  });

  it('are described with names that /metrics shows', async () => {
    const { families } = await showAllMetrics();
    const documents = ['README.md', 'apps/daemon/README.md', ...listGuides()];
    const named = documents.flatMap((file) => [
      ...readFileSync(join(repositoryRoot, file), 'utf8').matchAll(/`(agent_daemon_\w+)[`{]/g),
    ]);
    expect(named.length).toBeGreaterThan(5);
    const spelled = [...families.keys()].flatMap((name) => [name, name.replace(/_total$/, '')]);
    for (const [, name = ''] of named) expect(spelled).toContain(name);
  });
});

const listGuides = (): readonly string[] =>
  readdirSync(join(repositoryRoot, 'docs/guides')).flatMap((name) =>
    name.endsWith('.md') ? [`docs/guides/${name}`] : [],
  );

/** Names of metrics in an expression of Prometheus, and the labels that it asks them for. */
function readExpression(expression: string) {
  const bare = expression.replace(/"[^"]*"/g, '""');
  const names = [...bare.matchAll(/\b(?:agent_daemon|gen_ai_client|http_client|process)_\w+/g)];
  const groups = [...bare.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(','));
  const matchers = [...bare.matchAll(/\{([^}]*)\}/g)].flatMap(([, text = '']) => text.split(','));
  return {
    names: names.map(([name]) => name),
    labels: [...groups, ...matchers.map((one) => one.split(/[=!]/)[0] ?? '')].map((label) => label.trim()),
  };
}
