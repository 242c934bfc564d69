// The limits that answers about domains report, as clients of HSDS expect them.

export const LIMITS = { min_chunk_size: 1_048_576, max_chunk_size: 4_194_304, max_request_size: 104_857_600 }
