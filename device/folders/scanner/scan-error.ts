import { isAccessError } from "../../access/errors.ts";
import { DeviceError } from "../../errors.ts";
import { exactError } from "../../exact-sentences.ts";
import { BucketError } from "../../files/backends/s3/bucket-error.ts";
import { isProjectFilesError } from "../../files/errors.ts";
import { isBucketAddress } from "../../files/place/bucket-address.ts";
import { scanInterrupted } from "../../store/abandoned-scans.ts";
import { noFolder } from "../no-folder.ts";

/** What ended a scan, as an error of the device; its message is for the person whose folder it is. */
export function asScanError(thrown: unknown, folderPath: string): DeviceError {
  if (thrown instanceof DeviceError) return thrown;
  if (isProjectFilesError(thrown, "Cancelled")) return new DeviceError(scanInterrupted, { cause: thrown });
  if (thrown instanceof BucketError) return bucketError(thrown, folderPath);
  if (isProjectFilesError(thrown, "NotFound", "NotADirectory", "RootGone")) {
    if (isBucketAddress(folderPath))
      return exactError("folder_not_found", "at", { path: folderPath }, { cause: thrown });
    return noFolder(folderPath, thrown);
  }
  if (isProjectFilesError(thrown)) {
    const sentence = `Folder not readable: ${folderPath} (${thrown.code}); check its drive, and whether you may read it`;
    return new DeviceError("folder_unreadable", { sentence, cause: thrown });
  }
  // A scan asks the rules for nothing but what they say: only rules that cannot be understood refuse that.
  if (isAccessError(thrown, "denied")) return exactError("folder_unreadable", "rules", {}, { cause: thrown });
  return new DeviceError("internal", { cause: thrown });
}

function bucketError(cause: BucketError, folderPath: string): DeviceError {
  switch (cause.trouble) {
    case "no_bucket":
      return exactError("folder_not_found", "at", { path: folderPath }, { cause });
    case "credentials":
      return new DeviceError("bucket_credentials", { cause });
    case "denied":
      return new DeviceError("bucket_denied", { cause });
    case "other_region": {
      const { region } = cause;
      if (region === undefined) return new DeviceError("bucket_region", { cause });
      return exactError("bucket_region", "named", { region }, { cause });
    }
    case "unreachable":
      return new DeviceError("bucket_unreachable", { cause });
    case "busy":
      return new DeviceError("bucket_busy", { cause });
    case "insecure":
      return new DeviceError("address_insecure", { cause });
  }
}
