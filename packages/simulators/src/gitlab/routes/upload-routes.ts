import { createHash } from 'node:crypto';
import { authenticated, onProject, type ProjectCall } from '../http/requirements.ts';
import { type Answer, parameter, type Route, route } from '../http/route.ts';
import { takeId } from '../state/create-state.ts';
import type { State } from '../state/model.ts';
import { seededProject } from '../state/projects.ts';
import { notFound } from '../state/refusal.ts';

/** Files in texts. Their page below the project takes a session alone. @see https://docs.gitlab.com/api/project_markdown_uploads/ */
export const uploadRoutes: readonly Route[] = [
  route('GET /projects/{id}/uploads/{secret}/{filename}', authenticated(onProject(getUpload))),
];

/** Keeps what somebody drops into a text of the project; answers with the link that stands in the text. */
export function addUpload(
  state: State,
  seed: { readonly project: string; readonly filename: string; readonly content: Buffer },
): string {
  const secret = createHash('md5')
    .update(`upload ${takeId(state)}`)
    .digest('hex');
  const { id } = seededProject(state, seed.project);
  state.uploads.set(`${id}/${secret}/${seed.filename}`, seed.content);
  return `/uploads/${secret}/${seed.filename}`;
}

function getUpload(call: ProjectCall): Answer {
  const name = `${call.project.id}/${parameter(call, 'secret')}/${parameter(call, 'filename')}`;
  const content = call.state.uploads.get(name);
  if (!content) throw notFound('Upload');
  return { status: 200, raw: content, headers: { 'content-type': 'application/octet-stream' } };
}
