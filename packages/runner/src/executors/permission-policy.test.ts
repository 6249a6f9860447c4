import type { RequestPermissionRequest } from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { answerPermission } from './permission-policy.ts';

const options: RequestPermissionRequest['options'] = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'once', name: 'Once', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
];

const directory = '/srv/work';

function answer(toolCall: Omit<RequestPermissionRequest['toolCall'], 'toolCallId'>, isSandboxed = false) {
  const request = { toolCall: { toolCallId: '1', ...toolCall }, options };
  const { response, refused } = answerPermission(request, { directory, isSandboxed });
  const { outcome } = response;
  return { chosen: outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome, refused };
}

describe('answerPermission', () => {
  it.each([
    [{ kind: 'edit', locations: [{ path: '/srv/work/a.ts' }] }],
    [{ kind: 'read', locations: [{ path: 'src/a.ts' }] }],
    [{ kind: 'delete', locations: [{ path: '/srv/work' }] }],
    [{ kind: 'think' }],
  ] as const)('allows what stays inside the directory, and only once: %j [NX-275]', (call) => {
    expect(answer(call as never)).toEqual({ chosen: 'once', refused: null });
  });

  it.each([
    [{ kind: 'edit', locations: [{ path: '/srv/work/../other/a.ts' }] }],
    [{ kind: 'edit', locations: [{ path: '/srv/workshop/a.ts' }] }],
    [{ kind: 'read', locations: [{ path: '/srv/work/a.ts' }, { path: '/etc/passwd' }] }],
    [{ kind: 'edit', content: [{ type: 'diff', path: '/root/.ssh/config', newText: '' }] }],
    [{ kind: 'execute', locations: [{ path: '/usr' }] }],
    [{ kind: 'fetch' }],
    [{ kind: 'switch_mode' }],
    [{}],
  ] as const)('refuses what leaves it, also in a sandbox: %j [NX-275]', (call) => {
    expect(answer(call as never, true).chosen).toBe('no');
    expect(answer(call as never, true).refused).not.toBeNull();
  });

  it('lets programs run, and paths stay unsaid, in a sandbox alone [NX-275]', () => {
    for (const kind of ['execute', 'edit', 'read'] as const) {
      expect(answer({ kind }).chosen).toBe('no');
      expect(answer({ kind }, true).chosen).toBe('once');
    }
  });

  it('does nothing where the agent offers no fitting answer [NX-275]', () => {
    const request = { toolCall: { toolCallId: '1', kind: 'think' as const }, options: [] };
    const { response } = answerPermission(request, { directory, isSandboxed: true });
    expect(response.outcome.outcome).toBe('cancelled');
  });
});
