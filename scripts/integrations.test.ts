import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { repositoryRoot } from './workspace/root.ts';

const read = (...path: string[]) => readFileSync(join(repositoryRoot, 'integrations', ...path), 'utf8');

describe('the GitHub Action', () => {
  const action = read('github-action', 'action.yml');
  const workflow = read('github-action', 'workflow.yml');

  it('and the workflow to copy are ones that the schema of GitHub takes', () => {
    expect(validateAction(action).errors).toEqual([]);
    expect(validateWorkflow(workflow).errors).toEqual([]);
  });

  it('has no input in a line of the shell, and names each action by the hash of a commit', () => {
    const { runs, inputs } = parse(action) as Action;
    for (const { run = '' } of runs.steps) expect(run).not.toContain('${{');
    const used = [...`${action}${workflow}`.matchAll(/uses: (actions\/.*)/g)].map(([, one]) => one);
    expect(used).toHaveLength(2);
    for (const one of used) expect(one).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    const named = [...action.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(Object.keys(inputs)));
  });

  it('starts for the events that the agent handles, with no more than the permissions of the guide', () => {
    const { on, permissions, concurrency } = parse(workflow) as Workflow;
    expect(Object.keys(on).sort()).toEqual([
      'issue_comment',
      'issues',
      'pull_request_review',
      'pull_request_review_comment',
      'workflow_dispatch',
    ]);
    const write = ['actions', 'contents', 'issues', 'pull-requests'];
    expect(permissions).toEqual(Object.fromEntries(write.map((name) => [name, 'write'])));
    expect(concurrency['cancel-in-progress']).toBe(false);
  });
});

describe('the GitLab component', () => {
  const [spec, body] = parseAllDocuments(read('gitlab-component', 'templates', 'agent.yml')).map(
    (document) => document.toJS() as Record<string, Record<string, unknown>>,
  );

  it('uses each input that it declares, and no other', () => {
    const declared = Object.keys((spec?.spec?.inputs ?? {}) as object).sort();
    const used = JSON.stringify(body).matchAll(/\$\[\[ inputs\.([\w-]+) \]\]/g);
    expect([...new Set([...used].map(([, name]) => name))].sort()).toEqual(declared);
  });

  it('runs for webhooks and for pipelines that name a thread, one job at a time', () => {
    const { agent } = body ?? {};
    expect(agent).toMatchObject({ resource_group: 'agent', interruptible: false });
    expect(JSON.stringify(agent?.rules)).toContain('$TRIGGER_PAYLOAD');
  });
});

interface Action {
  readonly inputs: object;
  readonly runs: { readonly steps: readonly { readonly run?: string }[] };
}

interface Workflow {
  readonly on: object;
  readonly permissions: object;
  readonly concurrency: { readonly 'cancel-in-progress': boolean };
}
