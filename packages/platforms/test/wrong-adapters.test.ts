import { describe } from 'vitest';
import type { TaskSummary } from '../src/index.ts';
import {
  changeRequestsCases,
  identityCases,
  labelEditorCases,
  permissionReaderCases,
  repositoryReaderCases,
  taskFinderCases,
  threadReaderCases,
} from '../src/testing/index.ts';
import { itNotices, type WrongAdapter } from './fixtures/wrong-adapter.ts';

const tasks = (
  wrong: string,
  noticedBy: RegExp,
  change: (found: readonly TaskSummary[]) => readonly TaskSummary[],
) =>
  itNotices({
    port: 'taskFinder',
    cases: taskFinderCases,
    wrong,
    noticedBy,
    spoil: (finder) => ({
      listTasks: async (query) => ({ tasks: change((await finder.listTasks(query)).tasks), failures: [] }),
    }),
  });

describe('the contract suites of all but comments', () => {
  const spoiledLabels = (wrong: string, noticedBy: RegExp, spoil: WrongAdapter<'labelEditor'>['spoil']) =>
    itNotices({ port: 'labelEditor', cases: labelEditorCases, wrong, noticedBy, spoil });
  spoiledLabels("removes other people's labels", /other people's/, (labels, { people, key }) => ({
    ...labels,
    removeLabel: async (_name, options) => {
      for (const name of await people.labelsOn(key)) await labels.removeLabel(name, options);
    },
  }));
  spoiledLabels(
    'complains about a label that is not there',
    /not there without complaint/,
    (labels, { people, key }) => ({
      ...labels,
      removeLabel: async (name, options) => {
        if (!(await people.labelsOn(key)).includes(name)) throw new Error('no such label');
        await labels.removeLabel(name, options);
      },
    }),
  );
  spoiledLabels('keeps quiet when a label cannot be created', /cannot be created/, (labels) => ({
    ...labels,
    addLabel: (name, options) => labels.addLabel(name, options).catch(() => undefined),
  }));

  tasks('drops the second page', /all of them/, (found) => found.slice(0, 100));
  tasks('lists the youngest first', /oldest first/, (found) => found.toReversed());
  tasks('takes pull requests for issues', /apart by their keys/, (found) =>
    found.map((task) => ({ ...task, key: { ...task.key, type: 'github_issue' } as typeof task.key })),
  );
  itNotices({
    port: 'taskFinder',
    cases: taskFinderCases,
    wrong: 'ignores the label, the assignee and the state',
    noticedBy: /with a label|assignee|state/,
    spoil: (finder) => ({ listTasks: () => finder.listTasks({ label: null, assignee: null, state: 'all' }) }),
  });
  itNotices({
    port: 'taskFinder',
    cases: taskFinderCases,
    wrong: "takes one place's time for that of all",
    noticedBy: /times of other places/,
    spoil: (finder) => ({
      listTasks: ({ changedSinceIn = {}, ...query }) =>
        finder.listTasks({ ...query, changedSince: Object.values(changedSinceIn)[0] ?? query.changedSince }),
    }),
  });
  itNotices({
    port: 'threadReader',
    cases: threadReaderCases,
    wrong: 'counts no comments and shows no labels',
    noticedBy: /how many comments/,
    spoil: (reader) => ({
      readThread: async (options) => ({ ...(await reader.readThread(options)), labels: [], commentCount: 0 }),
    }),
  });
  itNotices({
    port: 'permissionReader',
    cases: permissionReaderCases,
    wrong: 'lets everybody write',
    noticedBy: /not know|passed to another account|apart/,
    spoil: () => ({ accessOf: async () => 'write' as const }),
  });
  itNotices({
    port: 'repositoryReader',
    cases: repositoryReaderCases,
    wrong: 'answers an empty text for a file that is not there',
    noticedBy: /is not there/,
    spoil: (reader) => ({
      ...reader,
      readFile: (path, options) => reader.readFile(path, options).catch(() => ''),
    }),
  });
  itNotices({
    port: 'changeRequests',
    cases: changeRequestsCases,
    wrong: 'takes a closed change request for the open one',
    noticedBy: /closed change request/,
    spoil: (requests) => ({
      ...requests,
      ensureDraft: async (draft) => (await requests.findChangeRequest(draft)) ?? requests.ensureDraft(draft),
    }),
  });
  itNotices({
    port: 'changeRequests',
    cases: changeRequestsCases,
    wrong: 'renames an open draft, and writes every body anew',
    noticedBy: /leaves its title|to what stands there/,
    spoil: (requests) => ({
      ...requests,
      ensureDraft: async (draft) => {
        const made = await requests.ensureDraft({
          ...draft,
          joinBody: (_current, body) => draft.joinBody(null, body),
        });
        return { ...made, title: draft.title };
      },
    }),
  });
  itNotices({
    port: 'changeRequests',
    cases: changeRequestsCases,
    wrong: 'requests no review though it says so',
    noticedBy: /requests a review once/,
    spoil: (requests) => ({ ...requests, requestReview: async () => {} }),
  });
  let count = 0;
  itNotices({
    port: 'identity',
    cases: identityCases,
    wrong: 'is somebody else at the second question',
    noticedBy: /stays the same/,
    spoil: (identity) => ({
      whoAmI: async (options) => {
        count += 1;
        return { ...(await identity.whoAmI(options)), id: String(count) };
      },
    }),
  });
});
