#include <sys/socket.h>
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <bluetooth/rfcomm.h>
#include <bluetooth/sdp.h>
#include <bluetooth/sdp_lib.h>

/* Swift sees neither the casts of a socket's address nor macros that are made of expressions. */

static inline int standpoint_rfcomm_bind(int socket, const bdaddr_t *adapter) {
  struct sockaddr_rc address = {0};
  address.rc_family = AF_BLUETOOTH;
  address.rc_bdaddr = *adapter;
  return bind(socket, (struct sockaddr *)&address, sizeof address);
}

static inline int standpoint_rfcomm_connect(int socket, const bdaddr_t *device, uint8_t channel) {
  struct sockaddr_rc address = {0};
  address.rc_family = AF_BLUETOOTH;
  address.rc_bdaddr = *device;
  address.rc_channel = channel;
  return connect(socket, (struct sockaddr *)&address, sizeof address);
}
