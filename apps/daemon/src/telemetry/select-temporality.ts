import { AggregationTemporality, InstrumentType } from '@opentelemetry/sdk-metrics';

/**
 * Observed values are those of now, without labels that are gone. All other values are counted since the start of the process,
 * whatever the standard variables say.
 */
export function selectTemporality(type: InstrumentType): AggregationTemporality {
  return type === InstrumentType.OBSERVABLE_GAUGE
    ? AggregationTemporality.DELTA
    : AggregationTemporality.CUMULATIVE;
}
