import { describe } from 'vitest';
import { assigneeEditorCases, threadHistoryCases } from '../src/testing/index.ts';
import { itNotices, type WrongAdapter } from './fixtures/wrong-adapter.ts';

const assignees = (wrong: string, noticedBy: RegExp, spoil: WrongAdapter<'assigneeEditor'>['spoil']) =>
  itNotices({ port: 'assigneeEditor', cases: assigneeEditorCases, wrong, noticedBy, spoil });
const history = (wrong: string, noticedBy: RegExp, spoil: WrongAdapter<'threadHistory'>['spoil']) =>
  itNotices({ port: 'threadHistory', cases: threadHistoryCases, wrong, noticedBy, spoil });

describe('the contract suite of assignees', () => {
  assignees('does nothing at all', /^assigns an account/, () => ({
    assign: async () => undefined,
    unassign: async () => undefined,
  }));
  assignees('complains about an account that is assigned', /^assigns an account/, (editor, fixture) => ({
    ...editor,
    assign: async (account) => {
      if ((await fixture.assignees()).includes(account.login)) throw new Error('already assigned');
      await editor.assign(account);
    },
  }));
  assignees('never takes an account off', /^unassigns an account/, (editor) => ({
    ...editor,
    unassign: async () => undefined,
  }));
  assignees('takes everybody off', /^unassigns no other account/, (editor, { people, key }) => ({
    ...editor,
    unassign: async () => people.assign?.(key, 'octo'),
  }));
  assignees('does not hear that its caller has had enough', /signal's reason/, (editor) => ({
    assign: (account) => editor.assign(account),
    unassign: (account) => editor.unassign(account),
  }));
});

describe('the contract suite of histories', () => {
  history('finds an assignment of anybody', /^finds no assignment/, (port) => ({
    ...port,
    lastAssigned: async (account) => ({ actor: account, at: '2026-01-01T00:00:00Z', editsSince: [] }),
  }));
  history('finds no assignment', /^says who assigned/, (port) => ({
    ...port,
    lastAssigned: async () => null,
  }));
  history('takes who is assigned for who assigned', /^says who assigned/, (port) => ({
    ...port,
    lastAssigned: async (account, options) => {
      const event = await port.lastAssigned(account, options);
      return event && { ...event, actor: account };
    },
  }));
  history('lists every edit there was', /not what was edited before/, (port) => ({
    ...port,
    lastAssigned: (account, options) =>
      port.lastAssigned(account, { ...options, since: '2000-01-01T00:00:00Z' }),
  }));
  history('lists no edits', /^lists the edits since a time/, (port) => ({
    ...port,
    listEdits: async () => [],
  }));
  history('lists edits from before the time', /none from before it/, (port) => ({
    ...port,
    listEdits: () => port.listEdits({ since: '2000-01-01T00:00:00Z' }),
  }));
  history('finds nobody who reopened', /^says who reopened/, (port) => ({
    ...port,
    lastReopened: async () => null,
  }));
  history('takes the author for who edited', /never edited/, (port) => ({
    ...port,
    lastCommentEdit: async () => ({ actor: null, at: '2026-01-01T00:00:00Z' }),
  }));
});
