import { findInheritanceCommands as find } from '@agent/context-inheritance';
import { expect, it } from 'vitest';
import { findThreadCommands } from './find-thread-commands.ts';

it('refuses commands about the past to somebody whose role was taken away since they were last asked about [NX-24]', async () => {
  const author = { id: '7', login: 'carol', kind: 'person' } as const;
  const said = { id: '1', author, body: '/fresh-start', createdAt: '2026-03-01T10:00:00Z' };
  const commands = await findThreadCommands([said], {
    find,
    last: null,
    isTrusted: async (_account, { fresh = false } = {}) => !fresh,
  });
  expect(commands).toMatchObject({ refusal: null, obeyed: [], refused: ['1'] });
});
