import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import manifest from '../../package.json' with { type: 'json' };

/** The same for all that this process sends: a receiver tells processes apart by the id of the instance. */
const instance = detectResources({ detectors: [serviceInstanceIdDetector] });

/** Describes the daemon to receivers; the standard variables have the last word. */
export function describeDaemon(): Resource {
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'agent-daemon', 'service.version': manifest.version }))
    .merge(instance)
    .merge(detectResources({ detectors: [envDetector] }));
}
