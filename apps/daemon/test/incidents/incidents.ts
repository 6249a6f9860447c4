import { fileIncidents } from './groups/files.ts';
import { authorityIncidents } from './groups/people.ts';
import { requestIncidents } from './groups/requests.ts';
import { threadIncidents } from './groups/threads.ts';
import { toolIncidents } from './groups/tools.ts';
import type { Incident } from './incident.ts';

/** All incidents that are replayed. */
export const incidents: readonly Incident[] = [
  ...threadIncidents,
  ...authorityIncidents,
  ...requestIncidents,
  ...fileIncidents,
  ...toolIncidents,
];
