import { z } from 'zod';
import { resolveCommit } from '../../shared/git/refs.ts';
import { filled, inputOf } from '../http/input.ts';
import { paged } from '../http/pagination.ts';
import { authenticated, onProject, type ProjectCall } from '../http/requirements.ts';
import { type Answer, type Call, type Route, route } from '../http/route.ts';
import { mayReadCode, mayReadNote, maySee, maySeeThread } from '../state/access.ts';
import type { Project, Thread } from '../state/model.ts';
import { forbidden, refuse } from '../state/refusal.ts';
import { showIssue } from '../views/issue-view.ts';
import { showMergeRequest } from '../views/merge-request-view.ts';
import { showNote } from '../views/note-view.ts';

const scopes = z.enum([
  'issues',
  'merge_requests',
  'notes',
  'blobs',
  'commits',
  'milestones',
  'users',
  'wiki_blobs',
]);
const inProject = z.object({ scope: scopes, search: filled, ref: z.string().optional() });
const everywhere = z.object({
  scope: z.enum([
    'issues',
    'merge_requests',
    'projects',
    'milestones',
    'users',
    'snippet_titles',
    'blobs',
    'commits',
    'notes',
    'wiki_blobs',
  ]),
  search: filled,
});

/** Search as the free tier has it: everywhere by title and description, code within one project only. @see https://docs.gitlab.com/api/search/ */
export const searchRoutes: readonly Route[] = [
  route('GET /search', authenticated(searchEverywhere)),
  route('GET /projects/{id}/search', authenticated(onProject(searchProject))),
  route('GET /projects/{id}/-/search', authenticated(onProject(searchProject))),
];

function searchEverywhere(call: Call): Answer {
  const { scope, search } = inputOf(call, everywhere);
  if (['blobs', 'commits', 'notes', 'wiki_blobs'].includes(scope)) {
    throw refuse(400, { error: 'Scope supported only with advanced search or exact code search' });
  }
  const projects = [...call.state.projects.values()].filter((project) =>
    maySee(call.state, project, call.viewer),
  );
  return searchThreads(call, projects, { scope, search });
}

async function searchProject(call: ProjectCall): Promise<Answer> {
  const { scope, search, ref } = inputOf(call, inProject);
  if (scope === 'notes') return searchNotes(call, search);
  if (scope === 'blobs') return searchBlobs(call, { search, ref: ref ?? call.project.defaultBranch });
  return searchThreads(call, [call.project], { scope, search });
}

function searchThreads(
  call: Call,
  projects: readonly Project[],
  { scope, search }: { readonly scope: string; readonly search: string },
): Answer {
  const kinds: Readonly<Record<string, (project: Project) => Iterable<Thread>>> = {
    issues: ({ issues }) => issues.values(),
    merge_requests: ({ mergeRequests }) => mergeRequests.values(),
  };
  const found = projects
    .flatMap((project) => [...(kinds[scope]?.(project) ?? [])])
    .filter((thread) => maySeeThread(call.state, thread, call.viewer) && contains(thread, search))
    .sort((one, other) => other.id - one.id);
  const show = (thread: Thread) =>
    thread.merge ? showMergeRequest(call, { thread, merge: thread.merge }) : showIssue(call, thread);
  return paged(call, found, { show });
}

/** Every word must be in the title or the description, or `#3` / `!3` names the thread. */
function contains({ iid, title, description }: Thread, search: string): boolean {
  if (/^[#!]\d+$/.test(search)) return iid === Number(search.slice(1));
  const text = `${title}\n${description ?? ''}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function searchNotes(call: ProjectCall, search: string): Answer {
  const threads = [...call.project.issues.values(), ...call.project.mergeRequests.values()];
  const notes = threads
    .filter((thread) => maySeeThread(call.state, thread, call.viewer))
    .flatMap((thread) => [...thread.notes.values()])
    .filter(
      (note) =>
        !note.system &&
        mayReadNote(call.state, note, call.viewer) &&
        note.body.toLowerCase().includes(search.toLowerCase()),
    );
  return paged(call, notes, { show: (note) => showNote(call, note) });
}

/** The basic code search: plain text, one result a place, on one branch. */
async function searchBlobs(
  call: ProjectCall,
  { search, ref }: { readonly search: string; readonly ref: string },
): Promise<Answer> {
  const { git, project } = call;
  if (!mayReadCode(call.state, project, call.viewer)) throw forbidden();
  const commit = await resolveCommit(git, project.gitDirectory, ref);
  const args = ['grep', '-I', '-i', '-n', '-z', '--fixed-strings', '-e', search, commit ?? ''];
  const output = commit ? await git.tryRead(project.gitDirectory, args) : null;
  const places = (output?.toString('utf8') ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [file = '', number = '1', ...text] = line.split('\0');
      const path = file.slice(file.indexOf(':') + 1);
      return {
        basename: path.replace(/\.[^./]+$/, ''),
        data: `${text.join('\0')}\n`,
        path,
        filename: path,
        id: null,
        ref: commit ?? ref,
        startline: Number(number),
        project_id: project.id,
      };
    });
  return paged(call, places, { show: (place) => place });
}
