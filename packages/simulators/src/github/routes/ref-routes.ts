import { z } from 'zod';
import { readCommit } from '../../shared/git/commits.ts';
import { isAncestor, listRefs, type Ref, updateRef } from '../../shared/git/refs.ts';
import { created, noContent, ok } from '../http/answers.ts';
import { bodyOf } from '../http/request-body.ts';
import {
  type Needs,
  onRepository,
  type RepositoryCall,
  reads,
  viewerOf,
  writes,
} from '../http/requirements.ts';
import { type Answer, parameter, type Route, route } from '../http/route.ts';
import { syncAfterPush } from '../pulls/sync-pulls.ts';
import { conflict, notFound, unprocessable } from '../state/refusal.ts';
import { showRef } from '../views/git-view.ts';

const git = '/repos/{owner}/{repo}/git';
const docs = 'git/refs';
const reading = reads('contents');
const writing: Needs = { ...writes('contents'), role: 'write' };

/** Refs as git has them. */
export const refRoutes: readonly Route[] = [
  route(
    `GET ${git}/ref/{ref+}`,
    `${docs}#get-a-reference`,
    onRepository(reading, async (call) => ok(showRef(call.repository, await refOf(call), call.urls))),
  ),
  route(
    `GET ${git}/matching-refs/{ref+}`,
    `${docs}#list-matching-references`,
    onRepository(reading, listMatching),
  ),
  route(`GET ${git}/refs`, `${docs}#list-matching-references`, onRepository(reading, listMatching)),
  route(`POST ${git}/refs`, `${docs}#create-a-reference`, onRepository(writing, createRef)),
  route(`PATCH ${git}/refs/{ref+}`, `${docs}#update-a-reference`, onRepository(writing, moveRef)),
  route(`DELETE ${git}/refs/{ref+}`, `${docs}#delete-a-reference`, onRepository(writing, deleteRef)),
];

/** All refs of a repository. @throws {Refusal} 409 when it has no commit yet */
export async function existingRefs(call: RepositoryCall): Promise<readonly Ref[]> {
  const refs = await listRefs(call.git, call.repository.gitDirectory);
  if (refs.length === 0) throw conflict('Git Repository is empty.');
  return refs;
}

async function listMatching(call: RepositoryCall): Promise<Answer> {
  const prefix = `refs/${parameter(call, 'ref')}`;
  const refs = (await existingRefs(call)).filter(({ name }) => name.startsWith(prefix));
  return ok(refs.map((ref) => showRef(call.repository, ref, call.urls)));
}

async function createRef(call: RepositoryCall): Promise<Answer> {
  const { ref: name, sha } = bodyOf(call, z.object({ ref: z.string(), sha: z.string() }));
  const refs = await existingRefs(call);
  if (!/^refs\/[^/]+\/[^\s~^:?*[\\]+$/.test(name)) throw unprocessable(`${name} is not a valid ref name.`);
  if (refs.some((ref) => ref.name === name)) throw unprocessable('Reference already exists');
  await checkCommit(call, sha);
  await writeRef(call, { name, sha });
  return created(showRef(call.repository, { name, sha, type: 'commit' }, call.urls));
}

async function moveRef(call: RepositoryCall): Promise<Answer> {
  const { sha, force } = bodyOf(call, z.object({ sha: z.string(), force: z.boolean().default(false) }));
  const ref = await writableRef(call);
  await checkCommit(call, sha);
  const isForward = await isAncestor(call.git, call.repository.gitDirectory, [ref.sha, sha]);
  if (!force && !isForward) throw unprocessable('Update is not a fast forward');
  await writeRef(call, { name: ref.name, sha });
  return ok(showRef(call.repository, { ...ref, sha }, call.urls));
}

async function deleteRef(call: RepositoryCall): Promise<Answer> {
  await writeRef(call, { name: (await writableRef(call)).name, sha: null });
  return noContent();
}

async function refOf(call: RepositoryCall): Promise<Ref> {
  const name = `refs/${parameter(call, 'ref')}`;
  const ref = (await existingRefs(call)).find((candidate) => candidate.name === name);
  if (!ref) throw notFound();
  return ref;
}

async function writableRef(call: RepositoryCall): Promise<Ref> {
  const name = `refs/${parameter(call, 'ref')}`;
  const ref = (await existingRefs(call)).find((candidate) => candidate.name === name);
  if (!ref) throw unprocessable('Reference does not exist');
  const branch = name.replace(/^refs\/heads\//, '');
  if (call.repository.protectedBranches.has(branch)) throw unprocessable('Cannot update this protected ref.');
  return ref;
}

async function checkCommit(call: RepositoryCall, sha: string): Promise<void> {
  if (!(await readCommit(call.git, call.repository.gitDirectory, sha)))
    throw unprocessable('Object does not exist');
}

async function writeRef(
  call: RepositoryCall,
  update: { readonly name: string; readonly sha: string | null },
) {
  await updateRef(call.git, call.repository.gitDirectory, update);
  await syncAfterPush(call, call.repository, viewerOf(call));
}
